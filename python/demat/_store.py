"""`Store`: the base class of stores that a program writes."""

from __future__ import annotations


class Store:
    """A place with references. Derive from it to write a store of your own, out of any of these methods:

    - `get(path)` returns the value, which is anything that Demat encodes; None if there is none
    - `put(path, value)` stores a value. True says that there was none before
    - `patch(path, value)` changes the given part of a value
    - `post(path, value)` adds a value to the list at a path, and returns its name (a str or an int), its whole path (a
      tuple), or None for the list
    - `delete(path)` deletes a value
    - `children(path)` returns the names within, or yields them
    - `version(path)` returns what changes whenever the value does: an int, float, str, bytes or datetime; None if there
      is no value. It becomes the `ETag`, and tells a cache what is still valid
    - `watch(path, tell)` subscribes to changes: call `tell(path, verb="put")` for each one. It may return a function
      that ends the subscription. Without this method, the store reports the changes that are made through it

    A path is a tuple of names, such as `("tasks", "3")`. What the class does not define is refused, as a missing verb
    of any store. `demat.store.of` returns the store with all verbs; `demat.serve`, `demat.copy` and the layers of
    `demat.store` take the instance.

    The annotation of `value` is the type that it is decoded as; without one, it is of builtins. Methods may be `async`.

    Several threads call the methods at once. A KeyError says that there is no such value, as does `demat.NotFound`;
    `demat.HTTPError` with 400, 403, 405, 409 or 412 and a PermissionError refuse. Over HTTP, any other exception is
    answered by 500 without details, with the traceback on standard error; callers in Python get the exception.

    >>> import demat
    >>> from demat import store
    >>> class Squares(demat.Store):
    ...     def get(self, path):
    ...         return int(path[0]) ** 2 if path else None
    >>> store.of(Squares()).get("/12")
    144
    >>> store.switch({"squares": store.cache(Squares())}).get("/squares/3")
    9
    """
