"""One filter a file; `filter_interface` finds them by file name."""
