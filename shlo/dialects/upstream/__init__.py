"""OpDefs of the dialects that stand beside StableHLO in its programs, as far as its programs use them."""
