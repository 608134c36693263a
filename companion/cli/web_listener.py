"""Starts a command's web server and prints its addresses, codes and certificate."""

from __future__ import annotations

import ipaddress
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from companion.cli.errors import Unusable

if TYPE_CHECKING:
    from flask import Flask

    from vision.cameras.phone import PhoneLink
    from web.people.access_control import AccessControl
    from web.serving.certificate import Certificate
    from web.serving.server_startup import Server

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to
"""Host addresses that listen on all networks."""
_LOCALHOST = ("localhost", "127.0.0.1", "::1")
"""Host addresses under which browsers on this machine find the page at "localhost"."""


@dataclass(frozen=True)
class Listener:
    """A listening server and the addresses under which browsers reach it."""

    server: Server
    """The server, which listens already."""
    host: str
    """Value of --host."""
    certificate: Certificate | None
    """TLS certificate; None for plain http."""
    camera_key: str = ""
    """Key that a phone needs to become the camera."""
    public: str | None = None
    """URL of the page at a reverse proxy; None without one."""

    @property
    def local(self) -> str:
        """URL for browsers on this machine."""
        return self._url("localhost" if self.host in (*_EVERYWHERE, *_LOCALHOST) else self.host)

    def addresses(self) -> tuple[str, ...]:
        """Return the URLs for other devices, the likeliest first, in the networks that this machine is in now."""
        from web.serving.network_addresses import network_addresses

        here = () if _is_loopback(self.host) else (self.host,)
        found = network_addresses() if self.host in _EVERYWHERE else here
        return (*([] if self.public is None else [self.public]), *map(self._url, found))

    def phone_page(self) -> str:
        """Return the URL of the page that makes a phone the camera."""
        from web.routes.phone_camera import PAGE

        return f"{next(iter(self.addresses()), self.local)}{PAGE}"

    def _url(self, host: str) -> str:
        scheme = "http" if self.certificate is None else "https"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.server.port}"

    def announce(self, phone: PhoneLink | None = None) -> None:
        """Print the table page's URLs, with a QR code, and how to accept the certificate.

        phone: also print the page that makes a phone the camera; see `announce_phone`.
        """
        click.echo(f"The table page: {self.local}")
        network, *others = self.addresses() or (None,)
        if network is not None:
            click.echo(f"For tablets and phones on this network: {network}")
            _print_qr_code(network)
        if others:
            click.echo(f"On other networks: {', '.join(others)}")
        self.announce_phone(phone)
        self.announce_certificate()

    def announce_codes(self, access: AccessControl) -> None:
        """Print the table code and the host code, and have the Join page show this server's URLs."""
        access.find_addresses = self.addresses
        click.echo(f"To take a seat, scan the QR code, or enter this code on the Join page: {access.table_code}")
        print_host_code(access.host_code)

    def announce_phone(self, phone: PhoneLink | None) -> None:
        """Print the URL of the page that makes a phone the camera, with the camera's key, also as a QR code.

        The link gets the function that finds the URL without the key.
        """
        if phone is None:
            return
        from web.routes.phone_camera import address_with_key

        phone.find_address = self.phone_page
        opened = address_with_key(phone.address, self.camera_key)
        click.echo(f"Open this on the phone that is the camera: {opened}")
        _print_qr_code(opened)

    def announce_certificate(self) -> None:
        """Print how to accept the self-signed certificate; nothing without one."""
        if self.certificate is None:
            return
        if self.certificate.made:
            click.echo(f"A new certificate was issued. It is valid until {self.certificate.expires:%d %B %Y}.")
        click.echo(
            "Each browser warns once, because the companion signed its certificate itself. Choose Advanced, then "
            "Continue (Safari: Show details, then visit this website)."
        )
        click.echo(
            "The certificate is the companion's own if its SHA-256 fingerprint begins with "
            f"{self.certificate.fingerprint[:23]}."
        )


def start_listening(app: Flask, host: str, port: int, tls: bool, public: str | None = None) -> Listener:
    """Start to listen on a port; return the server, which serves nothing yet, with its addresses.

    tls: use https. public: URL of the page at a reverse proxy, None without one. Raises Unusable if the address,
    port or certificate cannot be used.
    """
    from calibration.errors import CalibrationError
    from calibration.profile import home
    from web.serving.certificate import CertificateError, certificate, own_addresses
    from web.serving.server_startup import PortTakenError, listen

    try:
        kept = certificate(home() / "tls", addresses=_with_host(host, own_addresses())) if tls else None
        server = listen(app, host, port, kept)
    except CalibrationError as error:
        raise Unusable(str(error)) from None
    except (PortTakenError, CertificateError) as error:
        raise Unusable(error.strerror or str(error)) from None
    except OSError as error:
        message = f"The address {host} cannot be used ({error.strerror}). Use another one: --host 0.0.0.0"
        raise Unusable(message) from None
    return Listener(server, host, kept, app.extensions.get("camera_key", ""), public)


def checked_public_address(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """Return the value of --public-address without a slash at its end. Raises BadParameter for another address."""
    if text is None:
        return None
    page = text.removesuffix("/")
    try:
        parts = urlsplit(page)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in page
    except ValueError:  # as of the port
        valid = False
    if not valid or page != f"{parts.scheme}://{parts.netloc}":
        raise click.BadParameter(f"“{text}” is not the address of a page. Write it like https://table.example.")
    return page


def home_lock(folder: Path) -> AbstractContextManager[object]:
    """Lock the companion's home folder; return a context manager that releases the lock.

    Raises Unusable if another companion holds it. Where nothing can be written there is no lock.
    """
    from companion.session.errors import JournalError, LockedJournal
    from companion.session.file_lock import acquire_lock

    try:
        folder.mkdir(parents=True, exist_ok=True)
        return closing(acquire_lock(folder / "companion"))
    except LockedJournal:
        raise Unusable(
            f"Another companion on this computer uses {folder}. Close that one, or set COMPANION_HOME to another "
            "folder."
        ) from None
    except (JournalError, OSError):
        return nullcontext()  # where nothing can be written, no lock is needed


def print_host_code(code: str) -> None:
    """Print the code for becoming a host."""
    from web.people.access_codes import in_groups

    click.echo(f"To make another device a host, enter this code there on the Join page: {in_groups(code)}")


def _print_qr_code(address: str) -> None:
    """Print a URL as a QR code on the terminal."""
    import segno

    segno.make(address, error="m").terminal(compact=True)


Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def _with_host(host: str, addresses: tuple[Address, ...]) -> tuple[Address, ...]:
    """Return IP addresses with that of --host added, where it is a single IP address and not among them."""
    try:
        given = ipaddress.ip_address(host)
    except ValueError:
        return addresses
    return addresses if given.is_unspecified or given in addresses else (*addresses, given)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
