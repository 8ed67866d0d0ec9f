"""What the terms of the page mean, each in one sentence."""

GLOSSARY = {
    "on new data": "Cross-validated: each row is judged by models that were fitted, whole, to the "
    "rows of the other folds.",
    "cost": "The mean cost of a prediction: each kind of mistake times how often it happens.",
    "limit": "A mistake that may happen at most so often. Its price is raised until it holds on "
    "new data with a margin for chance.",
    "false alarm": "A row of another class that is called this one.",
    "points": "A scorecard: whole points for eight yes or no conditions, and classes by their sum.",
    "linear": "A score that is a weighted sum of the features, and thresholds that cut it into "
    "classes. Its direction is that for equal costs of all classes.",
    "curves": "The same with a curve for each feature and products of two.",
    "pool": "Models of different kinds whose probabilities are combined. It is no formula, and is "
    "written to a file by the command.",
    "proportional odds": "The standard regression for ordered classes (ordered logit); it predicts "
    "the class that costs least by its probabilities.",
    "always one class": "The same class for every row, the one that costs least. It needs no "
    "features.",
    "front": "All models found by the search of which none is beaten: no other model is at least "
    "as good in every measure and better in one.",
    "class shares in use": "How common the classes are where the model will be used, if that "
    "differs from the data.",
}
