"""Issues the self-signed TLS certificate; https is needed because browsers grant a page the camera only then."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import ifaddr
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from calibration.files.crash_safe_files import write_whole

VALIDITY = timedelta(days=365)
"""Period of validity; phones reject certificates that are valid for more than about 13 months."""
_RENEWAL = timedelta(days=30)
"""Remaining validity at which a certificate is renewed."""
_CLOCK_TOLERANCE = timedelta(days=1)
"""A certificate is valid from this long before it is issued, for phones whose clock is slow."""
_FILE = "certificate.pem"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class CertificateError(OSError):
    """The certificate cannot be stored; the text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate on disk."""

    path: Path
    """The file with the certificate and its private key, PEM."""
    names: tuple[str, ...]
    """Host names that it is valid for."""
    addresses: tuple[Address, ...]
    """IP addresses that it is valid for."""
    expires: datetime
    """End of its validity."""
    fingerprint: str
    """SHA-256 in pairs of hexadecimal digits, as browsers show it."""
    made: bool = False
    """Whether it was just issued, so that every browser has to accept it again."""

    def context(self) -> ssl.SSLContext:
        """Return the TLS context of a server with this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.path)
        return context


def own_names() -> tuple[str, ...]:
    """Return "localhost" and this machine's host names in its network."""
    host = socket.gethostname().split(".")[0].lower()
    plain = host.isascii() and host.replace("-", "").isalnum()
    return ("localhost", host, f"{host}.local") if plain and host != "localhost" else ("localhost",)


def own_addresses() -> tuple[Address, ...]:
    """Return this machine's IPv4 addresses and IPv6 loopback, loopback first.

    Other IPv6 addresses change daily, and each change would require a new certificate.
    """
    found: set[Address] = {ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("::1")}
    with contextlib.suppress(OSError):
        for adapter in ifaddr.get_adapters():
            for ip in adapter.ips:
                if isinstance(ip.ip, str):
                    with contextlib.suppress(ValueError):
                        found.add(ipaddress.ip_address(ip.ip))
    return tuple(sorted(found, key=lambda one: (not one.is_loopback, one.version, int(one))))


def certificate(
    folder: Path,
    names: Iterable[str] | None = None,
    addresses: Iterable[Address] | None = None,
    now: datetime | None = None,
) -> Certificate:
    """Return the certificate stored in a folder, issued or renewed if necessary.

    It is renewed if it lacks a name or address (None: this machine's), expires within a month, or cannot be read.
    Folder and file are readable by this user alone. Raises CertificateError if they cannot be written.
    """
    required_names = tuple(own_names() if names is None else names)
    required_addresses = tuple(own_addresses() if addresses is None else addresses)
    now = now or datetime.now(UTC)
    path = folder / _FILE
    stored = _load(path)
    if (
        stored is not None
        and set(required_names) <= set(stored.names)
        and set(required_addresses) <= set(stored.addresses)
        and stored.expires - VALIDITY - _CLOCK_TOLERANCE <= now < stored.expires - _RENEWAL
    ):
        return stored
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, _issue(required_names, required_addresses, now), mode=0o600)
    except OSError as error:
        raise CertificateError(
            f"The certificate cannot be saved in {folder} ({error.strerror or error}). Free some disk space, or "
            "set COMPANION_HOME to another folder."
        ) from None
    issued = _load(path)
    if issued is None:
        raise CertificateError(f"The certificate in {folder} cannot be read back. Remove it and start again.")
    return replace(issued, made=True)


def _load(path: Path) -> Certificate | None:
    """Return the certificate in a file; None if it or its key is missing or unusable."""
    try:
        data = path.read_bytes()
        found = x509.load_pem_x509_certificate(data)
        key = serialization.load_pem_private_key(data, None)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != found.public_key():
            return None
        alternatives = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound):
        return None
    addresses = [
        one
        for one in alternatives.get_values_for_type(x509.IPAddress)
        if isinstance(one, ipaddress.IPv4Address | ipaddress.IPv6Address)
    ]
    return Certificate(
        path,
        tuple(alternatives.get_values_for_type(x509.DNSName)),
        tuple(addresses),
        found.not_valid_after_utc,
        found.fingerprint(hashes.SHA256()).hex(":").upper(),
    )


def _issue(names: Iterable[str], addresses: Iterable[Address], now: datetime) -> bytes:
    """Return a new self-signed certificate and its private key, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Labyrinth companion")])
    alternatives = [*map(x509.DNSName, names), *map(x509.IPAddress, addresses)]
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_TOLERANCE)
        .not_valid_after(now + VALIDITY)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return signed.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
