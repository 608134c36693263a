"""The companion's own certificate: for this machine, for a year, and nobody else's to read."""

from __future__ import annotations

import ipaddress
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from web.serving.certificate import CertificateError, certificate, own_addresses, own_names

NOW = datetime(2026, 5, 1, tzinfo=UTC)
HERE = (ipaddress.ip_address("192.168.1.5"), ipaddress.ip_address("127.0.0.1"))
ELSEWHERE = (ipaddress.ip_address("10.0.0.9"), ipaddress.ip_address("127.0.0.1"))


def test_it_covers_this_machine_and_is_kept_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "tls"
    made = certificate(folder)
    assert made.made
    assert set(made.names) == set(own_names())
    assert set(made.addresses) == set(own_addresses())
    assert ipaddress.ip_address("127.0.0.1") in made.addresses
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.name for path in folder.iterdir()] == ["certificate.pem"]
    assert len(made.fingerprint) == 32 * 3 - 1
    loaded = x509.load_pem_x509_certificate(made.path.read_bytes())
    assert loaded.not_valid_after_utc - loaded.not_valid_before_utc < timedelta(days=398)
    made.context()


def test_it_is_kept_while_it_is_good(tmp_path: Path) -> None:
    first = certificate(tmp_path, ["localhost", "den"], HERE, NOW)
    again = certificate(tmp_path, ["localhost"], HERE[:1], NOW + timedelta(days=300))
    assert not again.made
    assert again.fingerprint == first.fingerprint


@pytest.mark.parametrize(
    ("names", "addresses", "when"),
    [
        (["localhost"], ELSEWHERE, NOW),  # the machine is in another network
        (["localhost", "tower"], HERE, NOW),  # it got another name
        (["localhost"], HERE, NOW + timedelta(days=340)),  # it ends within a month
        (["localhost"], HERE, NOW + timedelta(days=4000)),
        (["localhost"], HERE, NOW - timedelta(days=30)),  # it was made while the clock was wrong
    ],
)
def test_it_is_renewed_when_it_no_longer_fits(
    tmp_path: Path, names: list[str], addresses: tuple[ipaddress.IPv4Address, ...], when: datetime
) -> None:
    first = certificate(tmp_path, ["localhost"], HERE, NOW)
    renewed = certificate(tmp_path, names, addresses, when)
    assert renewed.made
    assert renewed.fingerprint != first.fingerprint
    assert set(addresses) <= set(renewed.addresses)
    assert when < renewed.expires <= when + timedelta(days=366)


@pytest.mark.parametrize("damage", [b"", b"-----BEGIN CERTIFICATE-----\n", b"\xff\xfe\x00"])
def test_a_damaged_one_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    first = certificate(tmp_path, ["localhost"], HERE, NOW)
    first.path.write_bytes(damage)
    assert certificate(tmp_path, ["localhost"], HERE, NOW).made
    whole = first.path.read_bytes()
    first.path.write_bytes(whole[: whole.index(b"-----BEGIN PRIVATE")])
    assert certificate(tmp_path, ["localhost"], HERE, NOW).made


def test_where_it_cannot_be_kept_one_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CertificateError, match="cannot be saved"):
        certificate(tmp_path / "file" / "tls")
