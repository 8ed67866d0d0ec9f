"""What is searched: linear ordinal models of one table, measured in batches."""
