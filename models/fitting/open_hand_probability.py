"""Fit the weights that combine hand finder and open/closed classifier into the probability that a hand is open.

`python -m models.fitting.open_hand_probability` prints the three weights for `STATE_WEIGHTS` of
`vision.hands.hand_detection`. It uses synthetic sessions that serve neither training nor evaluation; every other
one has a patterned table top.
"""

from __future__ import annotations

import multiprocessing

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from models.evaluation.scenes.synthetic_sessions import SyntheticSession
from models.fitting import count_probabilities
from vision.bounding_boxes import centre, overlap
from vision.detector.model_set import ModelSet
from vision.detector.open_closed_classifier import hand_patch
from vision.hands.hand_detection import STATE_WEIGHTS, detect_hands, finder_log_odds
from vision.hands.palm_height_scale import px_per_mm

FIRST_SEED = 903_000
"""Seed of the first session; these seeds serve neither training nor evaluation."""
SCENES = (0, 3, 8, 13)
"""Numbers of the scenes used of each session: one with open hands only, three with closed ones among them."""
MIN_OVERLAP = 0.5
"""Smallest intersection over union of a detection and the true hand to which it belongs."""
TEMPER = 0.85
"""Factor applied to the fitted weights, which makes the probabilities slightly less extreme."""
MIN_SURE_LOG_ODDS = float(np.log(0.95 / 0.05))
"""Absolute log odds from which on a state needs no confirmation (probability 0.95)."""
_RIDGE = 1.0
"""Strength of the ridge penalty."""
_APART = 4
"""Every n-th session is held out to evaluate the fit."""


def labelled_log_odds(seed: int) -> list[tuple[float, float, bool]]:
    """Return, for each hand detected in the synthetic session of a seed, two log odds and the truth.

    The items are the log odds that the hand is open by the hand finder, those by the open/closed classifier, and
    whether it is open. Empty if the pieces of the session cannot be enrolled.
    """
    cv2.setNumThreads(1)
    session = SyntheticSession(seed, count_probabilities.ground(seed))
    profile = count_probabilities.enrolled_profile(session.renderer.render, np.random.default_rng([seed, 0xE4]))
    if profile is None or profile.plane is None:
        return []
    networks, rows = ModelSet.shipped(), []
    for number in SCENES:
        image, truth = session.renderer.render_with_truth(session.moment(number).scene, 100 + number)
        hands = detect_hands(networks.hands, image, profile.plane)
        patches = [hand_patch(image, hand.box, px_per_mm(profile.plane, centre(hand.box))) for hand in hands]
        scores = networks.open_closed.log_odds(patches).tolist() if patches else []
        for hand, score in zip(hands, scores, strict=True):
            known = max(truth.hands, key=lambda one: overlap(one.box, hand.box), default=None)
            if known is not None and overlap(known.box, hand.box) >= MIN_OVERLAP:
                rows.append((finder_log_odds(hand), float(score), known.state == "open"))
    return rows


def fit(rows: NDArray[np.float64], is_open: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of a ridge logistic regression (3,): offset, hand finder, open/closed classifier.

    rows: features, (hands, 3), the first column 1 and unpenalised; is_open: targets, 0 or 1, (hands,).
    """
    from scipy.optimize import minimize

    def cost(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = rows @ weights
        ridge = _RIDGE * np.r_[0.0, weights[1:]]
        total = float((np.logaddexp(0.0, odds) - is_open * odds).sum() + ridge @ weights / 2)
        return total, rows.T @ (1.0 / (1.0 + np.exp(-odds)) - is_open) + ridge

    return np.asarray(minimize(cost, np.zeros(rows.shape[1]), jac=True, method="L-BFGS-B").x, np.float64)


@click.command()
@click.option("--sessions", default=80, show_default=True, type=click.IntRange(2))
def main(sessions: int) -> None:
    """Fit the weights that combine hand finder and open/closed classifier on three quarters of the sessions.

    Prints the weights, and the error rate and loss of shipped and fitted weights on the other sessions.
    """
    with multiprocessing.get_context("spawn").Pool() as pool:
        jobs = pool.imap(labelled_log_odds, range(FIRST_SEED, FIRST_SEED + sessions))
        found = list(track(jobs, "Detecting hands", total=sessions))
    apart, used = (
        np.array(
            [(1.0, *row) for number, rows in enumerate(found) if (number % _APART == 0) == kept for row in rows]
        )
        for kept in (True, False)
    )
    fitted = TEMPER * fit(used[:, :3], used[:, 3])
    click.echo(f"fitted to {len(used)} hands: offset, finder, classifier = {np.round(fitted, 2).tolist()}")
    for name, weights in (("shipped", np.array(STATE_WEIGHTS)), ("fitted", fitted)):
        odds = apart[:, :3] @ weights
        is_open = apart[:, 3]
        loss = float((np.logaddexp(0.0, odds) - is_open * odds).mean())
        wrong, sure = (odds > 0) != (is_open > 0), np.abs(odds) > MIN_SURE_LOG_ODDS
        click.echo(
            f"{name}: {len(apart)} hands of other sessions, wrong {wrong.mean():.4f}, wrong and sure (0.95)"
            f" {(wrong & sure).mean():.4f}, loss {loss:.4f}"
        )


if __name__ == "__main__":
    main()
