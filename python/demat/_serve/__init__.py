"""Serving over HTTP what `demat.serve` is given."""
