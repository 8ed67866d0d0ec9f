from .spaces import KNOWN_SPACES as KNOWN_SPACES
from .tuning import Tuning as Tuning
from .tuning import tune as tune
