"""PostgreSQL environments, transactions and collections."""
