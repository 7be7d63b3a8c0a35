"""StableHLO's enumerations."""

from __future__ import annotations

from shlo.dialects.opdef import EnumDef

COMPARISON_DIRECTION = EnumDef(
    "ComparisonDirection", "comparison_direction", ("EQ", "NE", "GE", "GT", "LE", "LT")
)
COMPARISON_TYPE = EnumDef(
    "ComparisonType", "comparison_type", ("NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")
)
PRECISION = EnumDef("Precision", "precision", ("DEFAULT", "HIGH", "HIGHEST"))

ENUMS = (
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    PRECISION,
    EnumDef("FftType", "fft_type", ("FFT", "IFFT", "RFFT", "IRFFT")),
    EnumDef("ResultAccuracyMode", "result_accuracy_mode", ("DEFAULT", "HIGHEST", "TOLERANCE"), dotted=True),
    EnumDef("RngAlgorithm", "rng_algorithm", ("DEFAULT", "THREE_FRY", "PHILOX")),
    EnumDef("RngDistribution", "rng_distribution", ("UNIFORM", "NORMAL")),
    EnumDef("Transpose", "transpose", ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")),
)
