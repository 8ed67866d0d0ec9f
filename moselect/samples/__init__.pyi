from .samples import Samples as Samples
