"""StableHLO's enumerations."""

from __future__ import annotations

from shlo.dialects.opdef import EnumCard

COMPARISON_DIRECTION = EnumCard(
    "ComparisonDirection", "comparison_direction", ("EQ", "NE", "GE", "GT", "LE", "LT")
)
COMPARISON_TYPE = EnumCard(
    "ComparisonType", "comparison_type", ("NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")
)
PRECISION = EnumCard("Precision", "precision", ("DEFAULT", "HIGH", "HIGHEST"))

ENUMS = (
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    PRECISION,
    EnumCard("FftType", "fft_type", ("FFT", "IFFT", "RFFT", "IRFFT")),
    EnumCard("ResultAccuracyMode", "result_accuracy_mode", ("DEFAULT", "HIGHEST", "TOLERANCE"), dotted=True),
    EnumCard("RngAlgorithm", "rng_algorithm", ("DEFAULT", "THREE_FRY", "PHILOX")),
    EnumCard("RngDistribution", "rng_distribution", ("UNIFORM", "NORMAL")),
    EnumCard("Transpose", "transpose", ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")),
)
