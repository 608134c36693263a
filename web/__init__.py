"""The web server: serves the page, publishes the table's state to screens, and passes commands to the table."""

from web.app import create_app
from web.serving.server_startup import PortTakenError, serve

__all__ = ["PortTakenError", "create_app", "serve"]
