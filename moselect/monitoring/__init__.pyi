from .monitoring import Check as Check
from .monitoring import check as check
