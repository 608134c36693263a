"""The page itself: one document that shows whatever the table publishes."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.security import open_to_all


def pages(phone: bool = False) -> Blueprint:
    """Make the blueprint of everything that is a document of its own. phone: a phone is the camera."""
    blueprint = Blueprint("pages", __name__)

    @blueprint.get("/")
    @open_to_all
    def table_page() -> str:
        return render_template("page.html", phone=phone)

    return blueprint
