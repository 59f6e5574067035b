"""The cells of the Rust jobs: `demat-bench zoo`, one process a call of an engine, on files that the kinds give."""

def build(): return {}
def measured(*a): return {}
