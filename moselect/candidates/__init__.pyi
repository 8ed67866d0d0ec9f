from .cross_validation import CV as CV
from .cross_validation import SPLITS as SPLITS
from .cross_validation import Fitted as Fitted
from .cross_validation import cross_validate as cross_validate
from .cross_validation import fit_to_all as fit_to_all
from .names import CANDIDATES as CANDIDATES
from .registry import Candidate as Candidate
