"""One filter a file; `registry` finds them by file name."""
