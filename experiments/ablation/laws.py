"""Tables of known laws: smooth surfaces, products, weak signals, dispersion, separable classes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

N_ROWS = 4_000
FIFTHS = (0.2, 0.4, 0.6, 0.8)

Rng = np.random.Generator
Table = tuple[np.ndarray, np.ndarray]


def in_fifths(latent: np.ndarray) -> np.ndarray:
    return np.digitize(latent, np.quantile(latent, FIFTHS))


def robot_arm(rng: Rng) -> Table:
    angles = rng.uniform(0.0, 2.0 * np.pi, (N_ROWS, 4))
    lengths = rng.uniform(0.0, 1.0, (N_ROWS, 4))
    turned = np.cumsum(angles, axis=1)
    x = (lengths * np.cos(turned)).sum(axis=1)
    y = (lengths * np.sin(turned)).sum(axis=1)
    return np.column_stack([angles, lengths]), in_fifths(np.hypot(x, y))


def products(rng: Rng) -> Table:
    X = rng.normal(size=(N_ROWS, 8))
    latent = X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3] + 0.5 * X[:, 4]
    return X, in_fifths(latent + 0.1 * rng.normal(size=N_ROWS))


def smooth(rng: Rng) -> Table:
    """Draw Friedman's first function of eight numbers."""
    X = rng.uniform(size=(N_ROWS, 8))
    latent = 10.0 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20.0 * (X[:, 2] - 0.5) ** 2
    latent += 10.0 * X[:, 3] + 5.0 * X[:, 4]
    return X, in_fifths(latent + 0.3 * rng.normal(size=N_ROWS))


def weak_signal(rng: Rng) -> Table:
    X = rng.normal(size=(N_ROWS, 10))
    latent = 0.5 * X[:, 0] + 0.3 * np.abs(X[:, 1])
    return X, in_fifths(latent + 2.0 * rng.normal(size=N_ROWS))


def separable(rng: Rng) -> Table:
    X = rng.normal(size=(N_ROWS, 5))
    latent = X @ [1.0, 2.0, -1.0, 0.5, 0.0]
    return X, in_fifths(latent + 0.02 * rng.normal(size=N_ROWS))


def dispersion(rng: Rng) -> Table:
    """Draw classes whose dispersion depends on a feature: no score tells it."""
    X = rng.normal(size=(N_ROWS, 6))
    noise = np.exp(X[:, 1] - 0.5) * rng.normal(size=N_ROWS)
    return X, in_fifths(X[:, 0] + noise)


def two_peaks(rng: Rng) -> Table:
    """Draw outer or inner classes: both have the same mean rank."""
    X = rng.normal(size=(N_ROWS, 6))
    is_outer = X[:, 0] + 0.3 * rng.normal(size=N_ROWS) > 0.0
    is_high = rng.random(N_ROWS) < 0.5
    return X, np.where(is_outer, 3 * is_high, 1 + is_high)


def rare_class(rng: Rng) -> Table:
    X = rng.normal(size=(N_ROWS, 12))
    latent = X[:, 0] + np.abs(X[:, 1]) + X[:, 2] * X[:, 3] + rng.normal(size=N_ROWS)
    return X, np.digitize(latent, np.quantile(latent, [0.6, 0.85, 0.97]))


LAWS: dict[str, Callable[[Rng], Table]] = {
    law.__name__: law
    for law in (
        robot_arm,
        products,
        smooth,
        weak_signal,
        separable,
        dispersion,
        two_peaks,
        rare_class,
    )
}
