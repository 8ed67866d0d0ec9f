"""Words of well-known scales, of ranges and of units, read from ``scales.txt``."""

import re
import unicodedata
from functools import cache
from pathlib import Path

# sections of words, not of levels
WORDS = "words: "
ZERO = f"{WORDS}zero"
NO_ANSWER = f"{WORDS}no answer"
DOWNWARD = f"{WORDS}downward"  # before numbers whose 1 may be the highest
UNIT = f"{WORDS}unit of "

DASHES = str.maketrans(
    "\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}\N{RIGHT SINGLE QUOTATION MARK}", "---'"
)


def simple_text(text: str) -> str:
    """Return text in small letters without accents, with a single dash and apostrophe."""
    # Dutch for "up to and including", in ranges
    dashed = text.casefold().translate(DASHES).replace("t/m", "-")
    letters = unicodedata.normalize("NFD", dashed)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def plain_words(label: str) -> str:
    """Return the words of a label in small letters, without accents and punctuation."""
    # A space where small letters meet a capital, before case is folded away.
    spaced = re.sub(r"(?<=[a-z]{2})(?=[A-Z][a-z])", " ", label)  # StronglyAgree
    # Hyphens, underscores and slashes between letters separate words; others are
    # punctuation.
    words = re.sub(r"(?<=\w)[-_/](?=\w)", " ", simple_text(spaced)).split()
    return " ".join(words).strip(" .")


@cache
def scale_sections() -> dict[str, dict[str, int]]:
    """Read the file of scales: for each section the ranks of its words."""
    text = Path(__file__).with_name("scales.txt").read_text("utf-8")
    sections = {}
    # A section begins with its name in brackets, one level a line, spellings apart by
    # slashes.
    for section in re.sub(r"(?m)^#.*\n", "", text).split("[")[1:]:
        name, _, levels = section.partition("]\n")
        sections[name] = {
            plain_words(word): rank
            for rank, level in enumerate(levels.split("\n"))
            for word in level.split(" / ")
            if word
        }
    return sections


@cache
def units_of_measure() -> dict[str, dict[str, float]]:
    """Return the units of each measure, such as length, in its smallest one."""
    found = {}
    for section, words in scale_sections().items():
        if section.startswith(UNIT):
            # The first word of a line is the number of smallest units in each unit of the line.
            factors = {rank: float(w) for w, rank in words.items() if w[0].isdecimal()}
            found[section.removeprefix(UNIT)] = {
                word: factors[rank] for word, rank in words.items()
            }
    return found


def is_zero(text: str) -> bool:
    """Return whether a label means none, in a word or by a beginning such as "do not ..."."""
    words = plain_words(text)
    zeros = scale_sections()[ZERO]
    begins = tuple(word.removesuffix("*") for word in zeros if word.endswith("*"))
    return words in zeros or words.startswith(begins)


@cache
def words_of_ranges(section: str) -> re.Pattern[str]:
    """Return the pattern of words that open a range ``below`` or ``above``, or of a unit."""
    if section != "unit":
        words = scale_sections()[WORDS + section]
        return re.compile(
            "|".join(
                rf"\b{word}\b" if word[0].isalpha() else re.escape(word) for word in words
            )
        )
    names = ("below", "above", "between")
    known = {
        part
        for name in names
        for word in scale_sections()[WORDS + name]
        for part in word.split()
    }
    # Words of ranges are no units.
    others = "|".join(filter(str.isalpha, sorted(known)))
    return re.compile(rf"(?<![^\W\d_])(?!(?:{others})\b)[^\W\d_]+\d?")
