from .card import ModelCard as ModelCard
from .conversion import ModelDocument as ModelDocument
from .linear import OrdinalLinearClassifier as OrdinalLinearClassifier
from .model import Model as Model
from .predictions import predict_table as predict_table
from .score_calibration import class_probabilities as class_probabilities
