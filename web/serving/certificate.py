"""The companion's own certificate, so that phones of the network reach it by https and give it their camera."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import ifaddr
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from calibration.storage import write_whole

LASTING = timedelta(days=365)
"""How long a certificate is good for; phones refuse those that last longer than about thirteen months."""
_RENEWED = timedelta(days=30)
"""It is made anew so long before its end."""
_EARLIER = timedelta(days=1)
"""Valid from before now, for phones whose clock is behind."""
_FILE = "certificate.pem"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class CertificateError(OSError):
    """The certificate cannot be kept: one plain line, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate on disk with its private key, both in one file.

    names, addresses: what it is good for. fingerprint: SHA-256 in pairs of hexadecimal digits, as browsers show
    it. made: it is new, so every browser has to be told again to accept it.
    """

    path: Path
    names: tuple[str, ...]
    addresses: tuple[Address, ...]
    expires: datetime
    fingerprint: str
    made: bool = False

    def context(self) -> ssl.SSLContext:
        """Give the server's side of TLS with this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.path)
        return context


def own_names() -> tuple[str, ...]:
    """Give the names under which this machine may be reached in its network."""
    host = socket.gethostname().split(".")[0].lower()
    plain = host.isascii() and host.replace("-", "").isalnum()
    return ("localhost", host, f"{host}.local") if plain and host != "localhost" else ("localhost",)


def own_addresses() -> tuple[Address, ...]:
    """Give this machine's addresses, loopback first.

    Of IPv6 only loopback: machines take new ones every day, and each would cost everybody a new certificate.
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
    """Give the certificate kept in a folder, made or renewed where it is needed.

    It is renewed when it does not cover one of the names or addresses (this machine's where not given), when it
    ends within a month, or when it cannot be read. The folder and the file are for this user alone. Raises
    CertificateError where they cannot be written.
    """
    wanted_names = tuple(own_names() if names is None else names)
    wanted_addresses = tuple(own_addresses() if addresses is None else addresses)
    now = now or datetime.now(UTC)
    path = folder / _FILE
    kept = _kept(path)
    if (
        kept is not None
        and set(wanted_names) <= set(kept.names)
        and set(wanted_addresses) <= set(kept.addresses)
        and kept.expires - LASTING - _EARLIER <= now < kept.expires - _RENEWED
    ):
        return kept
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, _made(wanted_names, wanted_addresses, now), mode=0o600)
    except OSError as error:
        raise CertificateError(
            f"The certificate cannot be kept in {folder} ({error.strerror or error}). Make room there, or set "
            "COMPANION_HOME to another folder."
        ) from None
    made = _kept(path)
    if made is None:
        raise CertificateError(f"The certificate in {folder} cannot be read back. Remove it and start again.")
    return Certificate(made.path, made.names, made.addresses, made.expires, made.fingerprint, made=True)


def _kept(path: Path) -> Certificate | None:
    """Read a certificate and its key; None where there is none or either cannot be used."""
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


def _made(names: Iterable[str], addresses: Iterable[Address], now: datetime) -> bytes:
    """Make a key and a certificate that it signs itself; both as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Labyrinth companion")])
    alternatives = [*map(x509.DNSName, names), *map(x509.IPAddress, addresses)]
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + LASTING)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return signed.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
