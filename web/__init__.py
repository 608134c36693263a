"""The tablet page: serves screens, publishes what the table publishes, and passes commands on to it."""

from web.app import create_app
from web.serving.server import PortTakenError, serve

__all__ = ["PortTakenError", "create_app", "serve"]
