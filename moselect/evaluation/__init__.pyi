from .differences import PairedDifference as PairedDifference
