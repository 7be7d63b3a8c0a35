"""Arguments of calls: files, literals, made-up values, for one process or a grid."""
