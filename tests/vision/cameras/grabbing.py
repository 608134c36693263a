"""Grabbing from cameras that fail, at a test's pace."""

from __future__ import annotations

from tests.waiting import eventually
from vision.cameras.grabber import Grabber, GrabState, Patience

QUICK = Patience(first=0.01, longest=0.02, tries=3, rarely=0.05, silence=0.15)


def reaches(grabber: Grabber, state: GrabState) -> None:
    eventually(lambda: grabber.status.state == state)
