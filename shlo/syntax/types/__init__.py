"""Types: text in both directions, and the bodies of dialects' symbols."""
