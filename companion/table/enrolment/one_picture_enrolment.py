"""Enrols all pieces of a game from one picture that shows them in their order."""

from __future__ import annotations

from calibration.errors import CalibrationError
from calibration.translatable import say
from companion.adapters import adapter
from companion.table.enrolment.drafts import KeptView
from companion.table.enrolment.profile_and_draft import Workspace
from companion.table.enrolment.screen_messages import as_shown_on_screens
from companion.table.views import Refused


def enrol_in_order(work: Workspace) -> KeptView:
    """Enrol all pieces from a picture that shows them in the order that the game prescribes; save the profile.

    The pieces are found without the table's lock, because that takes seconds. Raises `Refused`.
    """
    enrol = adapter(work.game).enrol_in_order
    if enrol is None:
        raise Refused("bad_request", say("The pieces of this game are enrolled kind by kind."))
    with work.locked():
        profile, image = work.load(), work.picture()
    try:
        enrolled = enrol(profile, image)
    except CalibrationError as error:
        raise Refused("not_now", as_shown_on_screens(str(error))) from None
    with work.locked():
        profile = work.load()
        for kind, samples in enrolled.pieces.items():
            profile = profile.with_pieces(kind, samples)
        return work.save(profile)
