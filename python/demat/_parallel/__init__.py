"""`copy` with several processes: byte ranges of files, the workers that read them, and how their output is joined."""
