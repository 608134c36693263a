"""The companion of a physical board game: rules, session, referee, the running table and the commands."""

__version__ = "0.1.0"
