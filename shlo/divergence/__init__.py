"""Where two runs part: every operation on both engines, alone and along with what came before."""
