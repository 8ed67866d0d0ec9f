"""The model card, kept in the model's file."""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """Section of a model card: a title, sentences, and a table whose first row is its heading."""

    title: str
    sentences: list[str] = field(default_factory=list)
    table: list[Annotated[list[str], Meta(min_length=1)]] = field(default_factory=list)


class Bar(Struct, frozen=True, forbid_unknown_fields=True):
    """Displayed value of a model in the picture of a card, with its 95 % interval."""

    name: str
    shown: str
    value: float
    low: float
    high: float


class ModelCard(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Model card: a summary for people who decide on a model or use it.

    `moselect.export.summarise` writes the card of a selected model, with cross-validated
    performance, decisions by class and the preprocessing of each column.

    Attributes
    ----------
    predicts : str
        The target.
    n_rows : int
        Training rows.
    data : str or None
        Name of the training data.
    headline : list of str
        The result in a few sentences. The first is the title of the page.
    picture : list of Bar
        Values of the model and of its baselines.
    sections : list of Section
        Sections in the order of the page.
    details : list of Section
        Further sections, folded on the page.

    Examples
    --------
    >>> card = ModelCard(predicts="grade", n_rows=250, data="pupils.csv")
    >>> card.predicts
    'grade'
    """

    schema: Literal[1] = 1
    predicts: str
    n_rows: Annotated[int, Meta(ge=1)]
    data: str | None = None
    headline: list[str] = field(default_factory=list)
    picture: list[Bar] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    details: list[Section] = field(default_factory=list)
