"""Mathematical functions of real arrays that NumPy lacks. SciPy is imported when one of them is first used.

Functions take and give arrays (or NumPy scalars) of float32 or float64. Those of float32 are computed in
float64 and rounded once, except where a note says otherwise.
"""
