"""Starts a command's web server and prints its addresses, codes and certificate."""

from __future__ import annotations

import ipaddress
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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


@dataclass(frozen=True)
class Listener:
    """A listening server and the addresses under which browsers reach it."""

    server: Server
    """The server, which listens already."""
    local: str
    """URL for browsers on this machine."""
    network: str | None
    """URL for other devices in the network; None if they cannot reach it."""
    certificate: Certificate | None
    """TLS certificate; None for plain http."""
    camera_key: str = ""
    """Key that a phone needs to become the camera."""
    others: tuple[str, ...] = ()
    """URLs in further networks of this machine."""

    @property
    def phone_page(self) -> str:
        """URL of the page that makes a phone the camera."""
        from web.routes.phone_camera import PAGE

        return f"{self.network or self.local}{PAGE}"

    def announce(self, phone: PhoneLink | None = None) -> None:
        """Print the table page's URLs, with a QR code, and how to accept the certificate.

        phone: also print the page that makes a phone the camera; the link stores its URL for error messages.
        """
        click.echo(f"The table page: {self.local}")
        if self.network is not None:
            click.echo(f"For tablets and phones on this network: {self.network}")
            _print_qr_code(self.network)
        if self.others:
            click.echo(f"On other networks: {', '.join(self.others)}")
        self.announce_phone(phone)
        self.announce_certificate()

    def announce_codes(self, access: AccessControl) -> None:
        """Print the table code and the host code, and set the URLs that the Join page shows."""
        access.address, access.others = self.network, self.others
        click.echo(f"To take a seat, scan the QR code, or enter this code on the Join page: {access.table_code}")
        print_host_code(access.host_code)

    def announce_phone(self, phone: PhoneLink | None) -> None:
        """Print the URL of the page that makes a phone the camera, with the camera's key, also as a QR code.

        The URL without the key is stored in the link.
        """
        if phone is None:
            return
        from web.routes.phone_camera import address_with_key

        phone.address = self.phone_page
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


def start_listening(app: Flask, host: str, port: int, tls: bool) -> Listener:
    """Start to listen on a port; return the server, which serves nothing yet, with its addresses.

    tls: use https. Raises Unusable if the address, port or certificate cannot be used.
    """
    from calibration.errors import CalibrationError
    from calibration.profile import home
    from web.serving.certificate import CertificateError, certificate, own_addresses
    from web.serving.network_addresses import network_addresses
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
    scheme = "https" if tls else "http"
    reached = network_addresses() if host in _EVERYWHERE else () if _is_loopback(host) else (host,)
    urls = [f"{scheme}://{f'[{one}]' if ':' in one else one}:{server.port}" for one in reached]
    return Listener(
        server,
        f"{scheme}://localhost:{server.port}",
        urls[0] if urls else None,
        kept,
        app.extensions.get("camera_key", ""),
        tuple(urls[1:]),
    )


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
