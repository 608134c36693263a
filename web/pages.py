"""The page itself: one document that shows whatever the table publishes."""

from __future__ import annotations

from flask import Blueprint, render_template


def pages() -> Blueprint:
    """Make the blueprint of everything that is a document of its own."""
    blueprint = Blueprint("pages", __name__)

    @blueprint.get("/")
    def table_page() -> str:
        return render_template("page.html")

    return blueprint
