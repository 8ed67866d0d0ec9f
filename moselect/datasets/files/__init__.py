"""Tables in files: how they are written is recognised."""
