"""What holds for all tests of the Python package."""

from hypothesis import settings

# The same examples each time: what passed here passes there. More of them, and others: `--hypothesis-profile=explore`.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=200)
settings.register_profile("explore", deadline=None, max_examples=5000)
settings.load_profile("steady")
