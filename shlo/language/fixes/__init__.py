"""Quick fixes: edits that mend a finding."""
