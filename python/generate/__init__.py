"""Writes the modules of the formats, and their stubs, from the one table of formats. No part of the package."""
