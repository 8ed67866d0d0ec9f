"""Columns for models without a formula: codes of categories, their pairs, words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
import pandas as pd

from moselect._parallel import one_blas_thread
from moselect._types import Booleans, Floats, Integers
from moselect.preprocessing.level_columns import EncodedColumn
from moselect.preprocessing.number_columns import Column
from moselect.preprocessing.terms import Level, Pair, TableTerms, Term
from moselect.tables.cells import MOST_LEVELS
from moselect.tables.levels import (
    WORD,
    as_written,
    cell_texts,
    is_text,
    merge_spellings,
    read_levels,
    written_otherwise,
)

MOST_CODES = 250  # levels with a code of their own: histogram trees have 255 bins
LEVEL_SEPARATOR = "\N{UNIT SEPARATOR}"  # separates the levels of a pair


class ExtraColumn(Column, frozen=True, kw_only=True):
    """Base class of columns without a formula; no cell is unreadable."""

    inputs: ClassVar[tuple[Column, ...]] = ()  # they are in use already

    def terms(self) -> list[Term]:
        """Return the output column as a formula; ValueError if it has none."""
        raise ValueError(
            f"the words of column {self.name!r} have no formula, so the model cannot be "
            "exported: use moselect predict, or select model=linear"
        )


class CodeColumn(ExtraColumn, tag="code", frozen=True, kw_only=True):
    """Integer codes of the most frequent levels, -1 for other and missing levels.

    The most frequent level becomes 0, the next one 1.
    """

    levels: list[str]
    spellings: dict[str, str] = msgspec.field(
        default_factory=dict
    )  # level of each other spelling

    @classmethod
    def learn(
        cls, name: str, places: Integers, levels: list[str], spellings: dict[str, str]
    ) -> Self:
        """Learn from the index (n,) of each cell's level, and the levels of other spellings."""
        if spellings:
            places, levels, _ = merge_spellings(places, levels)
        counts = np.bincount(places[places >= 0], minlength=len(levels))
        common = np.argsort(-counts, kind="stable")[:MOST_CODES]
        common_levels = [levels[k] for k in common]
        spellings = {
            text: spellings[text]
            for text in spellings
            if spellings[text] in common_levels
        }
        return cls(name=name, levels=common_levels, spellings=spellings)

    endings: ClassVar[list[str]] = [" (code)"]
    note = "its levels as they are"

    def terms(self) -> list[Term]:
        """Return the output column as a formula."""
        codes = {level: float(code) for code, level in enumerate(self.levels)}
        written = as_written(codes, -1.0, self.spellings)
        return [Level(self.name, written, -1.0, -1.0)]


class PairColumn(ExtraColumn, tag="pair", frozen=True, kw_only=True):
    """Target encoding of the pairs of levels of two columns, as in `EncodedColumn`.

    Rows of north and male become their mean class, which captures the interaction of the
    two columns.
    """

    endings = EncodedColumn.endings

    first: str
    second: str
    encoded: EncodedColumn

    @classmethod
    def learn(cls, first: str, second: str, pairs: pd.Series, codes: Integers) -> Self:
        """Fit to pairs (n,) of levels, and class codes."""
        encoded = EncodedColumn.learn(str(pairs.name), *read_levels(pairs), codes)
        return cls(name=str(pairs.name), first=first, second=second, encoded=encoded)

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        return self.encoded.note

    def terms(self) -> list[Any]:
        """Return the output column as a formula, which is no `Term`."""
        # The mean class of each pair, in all spellings of its levels.
        means = dict[str, float]()
        for pair, mean in self.encoded.levels.items():
            sides = (
                [level, *written_otherwise(level)]
                for level in pair.split(LEVEL_SEPARATOR)
            )
            means |= dict.fromkeys(map(LEVEL_SEPARATOR.join, product(*sides)), mean)
        means |= self.encoded.levels
        unknown = self.encoded.unknown
        return [Pair(self.first, self.second, LEVEL_SEPARATOR, means, unknown)]

    def encoded_cells(self, table: TableTerms) -> pd.Series:
        """Return the pair of levels (n,) of each row."""
        return pairs_of(table, self.first, self.second)


# Size of the vocabulary, and document frequency of a word; a smaller one is not used.
MAX_WORDS = 1_000
MIN_TEXTS_OF_A_WORD = 3
MIN_WORDS = 5


class WordsColumn(ExtraColumn, tag="words", frozen=True, kw_only=True):
    """Latent semantic analysis of a text column.

    TF-IDF weights of words, projected on the leading singular vectors (Deerwester et al.
    1990): scikit-learn's `TfidfVectorizer` and `TruncatedSVD`.
    ``"broken roof tile"`` becomes as many numbers as there are directions, 0 if none of
    its words is known.
    """

    option = "drop"

    words: list[str]
    idf: list[float]
    directions: list[list[float]]  # a singular vector for each output column

    @classmethod
    def learn(cls, column: pd.Series, most: int) -> Self | None:
        """Fit at most ``most`` directions to texts; None if hardly any word recurs."""
        from sklearn.decomposition import TruncatedSVD  # slow, and only for text
        from sklearn.feature_extraction.text import TfidfVectorizer

        counts = TfidfVectorizer(
            token_pattern=WORD.pattern,
            min_df=MIN_TEXTS_OF_A_WORD,
            max_features=MAX_WORDS,
            sublinear_tf=True,
            dtype=np.float64,
        )
        try:
            weighed = counts.fit_transform(cell_texts(column))
        except ValueError:  # no word is in three texts
            return None
        n_words = weighed.shape[1]
        if n_words < MIN_WORDS:
            return None
        with one_blas_thread():  # sums of BLAS depend on how many threads share them
            reduced = TruncatedSVD(min(most, n_words - 1), random_state=0).fit(weighed)
        return cls(
            name=str(column.name),
            n_missing=int(column.isna().sum()),
            words=counts.get_feature_names_out().tolist(),
            idf=counts.idf_.tolist(),
            directions=reduced.components_.tolist(),
        )

    @property
    def inputs(self) -> tuple[Column, ...]:  # type: ignore[override]
        """The text column itself."""
        return (self,)

    @property
    def endings(self) -> list[str]:
        """Suffixes of the output names."""
        return [f" (words {k})" for k in range(1, len(self.directions) + 1)]

    @property
    def note(self) -> str:
        """Short description of the transformation."""
        return (
            f"{len(self.directions)} directions of its {len(self.words)} commonest words"
        )

    def gaps(self, table: TableTerms) -> tuple[Booleans, Booleans]:
        """Mask cells (n,) without text; no cell is unreadable."""
        missing = table.frame[self.name].isna().to_numpy()
        return missing, np.zeros_like(missing)

    def evaluate(self, table: TableTerms) -> Floats:
        """Transform the cells of a table."""
        # The same text has the same words.
        rows, texts = pd.factorize(cell_texts(table.frame[self.name]))
        directions = np.array(self.directions).T
        idf = np.array(self.idf)
        places = {word: k for k, word in enumerate(self.words)}
        values = np.zeros((len(texts), directions.shape[1]))
        for k, text in enumerate(texts):
            words = (places.get(word, -1) for word in WORD.findall(text.lower()))
            counts = Counter(place for place in words if place >= 0)
            if counts:
                known = np.array(list(counts))
                # TF-IDF with logarithmic frequencies, of length 1
                weights = (1.0 + np.log(list(counts.values()))) * idf[known]
                values[k] = weights @ directions[known] / np.sqrt(weights @ weights)
        return values[rows]


# Singular vectors of one text column, and of all together.
MAX_DIRECTIONS = 30
MAX_ALL_DIRECTIONS = 40
# Average rows of a pair of levels.
MIN_ROWS_OF_A_PAIR = 5
MAX_PAIRS = 10


def learn_extra(
    table: TableTerms,
    codes: Integers,
    levels: Mapping[str, dict[str, str]],
    texts: Sequence[str],
) -> list[WordsColumn | PairColumn | CodeColumn]:
    """Learn columns of words, pairs and codes, in this order.

    ``levels`` are the columns of categories in use, with the levels of other spellings,
    ``texts`` those that may be text. Pairs are made of columns with one spelling only.
    """
    frame = table.frame
    texts = [name for name in texts if is_text(frame[name])]
    most = max(2, min(MAX_DIRECTIONS, MAX_ALL_DIRECTIONS // max(len(texts), 1)))
    words = (WordsColumn.learn(frame[name], most) for name in texts)
    pairs = []
    for first, second in combinations([name for name in levels if not levels[name]], 2):
        cells = pairs_of(table, first, second)
        fewest = max(MOST_LEVELS, *frame[[first, second]].nunique())
        if fewest < cells.nunique() <= min(MOST_CODES, len(frame) / MIN_ROWS_OF_A_PAIR):
            pairs.append(PairColumn.learn(first, second, cells, codes))
    pairs.sort(key=lambda pair: len(pair.encoded.levels), reverse=True)
    return [
        *(column for column in words if column is not None),
        *pairs[:MAX_PAIRS],
        *(
            CodeColumn.learn(name, *table.levels(name), spellings)
            for name, spellings in levels.items()
        ),
    ]


def pairs_of(table: TableTerms, first: str, second: str) -> pd.Series:
    """Return the pair of levels (n,) of each row; a missing one is a level, too."""
    return pd.Series(
        table.texts(first) + LEVEL_SEPARATOR + table.texts(second),
        index=table.frame.index,
        name=f"{first} and {second}",
    )
