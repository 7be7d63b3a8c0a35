"""StableHLO's enumerations."""

from __future__ import annotations

from shlo.dialects.attr_constraints import EnumDef

COMPARISON_DIRECTION = EnumDef(
    "stablehlo", "ComparisonDirection", "comparison_direction", ("EQ", "NE", "GE", "GT", "LE", "LT")
)
COMPARISON_TYPE = EnumDef(
    "stablehlo", "ComparisonType", "comparison_type", ("NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED")
)
PRECISION = EnumDef("stablehlo", "Precision", "precision", ("DEFAULT", "HIGH", "HIGHEST"))

FFT_TYPE = EnumDef("stablehlo", "FftType", "fft_type", ("FFT", "IFFT", "RFFT", "IRFFT"))
RESULT_ACCURACY_MODE = EnumDef(
    "stablehlo",
    "ResultAccuracyMode",
    "result_accuracy_mode",
    ("DEFAULT", "HIGHEST", "TOLERANCE"),
    dotted=True,
)
RNG_ALGORITHM = EnumDef("stablehlo", "RngAlgorithm", "rng_algorithm", ("DEFAULT", "THREE_FRY", "PHILOX"))
RNG_DISTRIBUTION = EnumDef("stablehlo", "RngDistribution", "rng_distribution", ("UNIFORM", "NORMAL"))
TRANSPOSE = EnumDef(
    "stablehlo", "Transpose", "transpose", ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
)

ENUMS = (
    COMPARISON_DIRECTION,
    COMPARISON_TYPE,
    PRECISION,
    FFT_TYPE,
    RESULT_ACCURACY_MODE,
    RNG_ALGORITHM,
    RNG_DISTRIBUTION,
    TRANSPOSE,
)
