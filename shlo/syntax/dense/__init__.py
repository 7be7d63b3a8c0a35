"""Dense elements and resources: text in both directions."""
