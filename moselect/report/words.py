"""What the measures and the terms of the page mean, each in one sentence."""

MEASURES = {
    "accuracy": "Accuracy is the share of samples whose class is predicted exactly right.",
    "one_minus_mae": "1 - MAE: MAE is the mean number of classes by which predictions are off, so "
    "1 means never off, and 0 one class off on average.",
    "vus": "VUS (volume under the ROC surface) is the chance that one sample drawn from each class "
    "is ranked in the right order from the lowest class to the highest.",
    "u_cons": "U cons splits the classes into low and high at each boundary and averages how often "
    "a high sample scores above a low one (the mean AUC of the splits).",
    "u_ovo": "U ovo averages over all pairs of classes how often a sample of the higher class "
    "scores above one of the lower class (the mean AUC of the pairs).",
    "u_pairs": "U pairs is the share of all pairs of samples from different classes that are "
    "ranked in the right order, so large classes count more.",
}

GLOSSARY = {
    "model": "A score, which is a weighted sum of the features, and thresholds that cut the score "
    "into classes.",
    "front": "All models found of which none is beaten: no other model is at least as good in "
    "every objective and better in one.",
    "threshold": "A score at which the predicted class changes. Costs move thresholds; they do not "
    "change how the score ranks samples.",
    "expected cost": "The mean cost of a prediction: each kind of mistake times how often it "
    "happens.",
    "training": "Measured on the samples that the models were fitted to. New data turn out worse, "
    "most of all with few samples or many features.",
    "held out": "Measured on samples that the search never saw.",
    "expected": "Estimated for new data by cross-validation: the search was repeated on parts of "
    "the data and measured on the rest.",
    "chance": "What is reached without any feature.",
    "limit": "A condition that the chosen model has to meet; among the models that do, the "
    "cheapest is chosen.",
    "best member": "What it costs on new data to take the model of the front that is best in "
    "training: chosen without each part of the data, and measured there.",
    "proportional odds": "The standard regression for ordered classes (ordered logit); it predicts "
    "the class that costs least by its probabilities.",
    "always one class": "The same class for every sample, the one that costs least. It needs no "
    "features.",
    "class shares in use": "How common the classes are where the model will be used, if that "
    "differs from the data.",
}
