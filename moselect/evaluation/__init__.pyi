from .choice import PairedDifference as PairedDifference
