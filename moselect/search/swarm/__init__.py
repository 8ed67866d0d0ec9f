"""The swarms, as ask and tell on arrays."""
