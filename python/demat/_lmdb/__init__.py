"""LMDB environments, transactions and collections."""
