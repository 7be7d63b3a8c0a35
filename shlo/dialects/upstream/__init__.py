"""OpDefs of the dialects that are beside StableHLO in its programs, as far as its programs use them."""
