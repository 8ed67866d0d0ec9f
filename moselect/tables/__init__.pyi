from .tables import read_table as read_table
