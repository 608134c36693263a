"""This machine's IPv4 addresses, ordered by how likely a phone in the same room reaches them."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import ifaddr

_VIRTUAL = re.compile(
    r"^(tun|tap|wg|utun|ppp|ipsec|gif|stf|awdl|llw|docker|veth|br-|bridge|virbr|vmnet|vboxnet|vnet|lxc|lxd|cni|"
    r"flannel|cali|zt|tailscale|nordlynx|proton)|vpn|wireguard|openvpn|hyper-v|vethernet|virtualbox|vmware|wsl|"
    r"tailscale|zerotier|fortinet|anyconnect|tap-windows|loopback|bluetooth",
    re.IGNORECASE,
)
"""Names of interfaces that no phone in the room reaches: tunnels, containers, virtual machines."""
_PHYSICAL = re.compile(
    r"^(en|eth|em|wl|wlan|wlp|eno|enp|ens|lan)\w*$|wi-?fi|wireless|ethernet|802\.11", re.IGNORECASE
)
"""Names of Ethernet and Wi-Fi interfaces."""
_HOME = (
    ipaddress.ip_network("192.168.0.0/16"),
    ipaddress.ip_network("10.0.0.0/8"),
    ipaddress.ip_network("172.16.0.0/12"),
)
"""Private networks (RFC 1918), the most usual at home first."""
_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Addresses of carriers and of tunnels such as Tailscale (RFC 6598), never of a home network."""


@dataclass(frozen=True, slots=True)
class NetworkAddress:
    """An IPv4 address of this machine."""

    ip: str
    """Dotted decimal notation."""
    interface: str
    """Name of its interface, as the system shows it."""


def network_addresses() -> tuple[str, ...]:
    """Return this machine's IPv4 addresses, those that a phone reaches most likely first. Sends nothing."""
    found: list[NetworkAddress] = []
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            name = f"{adapter.nice_name or ''} {adapter.name or ''}".strip()
            found += [NetworkAddress(ip.ip, name) for ip in adapter.ips if isinstance(ip.ip, str)]
    return ordered_by_reach(found, _default_route_source())


def ordered_by_reach(found: Iterable[NetworkAddress], routed: str | None = None) -> tuple[str, ...]:
    """Return the addresses that a phone may reach, the likeliest first; loopback addresses are left out.

    routed: source address of the default route; None without one.
    """

    def rank(one: NetworkAddress) -> tuple[int, bool, int, int]:
        ip = ipaddress.IPv4Address(one.ip)
        if any(_VIRTUAL.search(word) for word in one.interface.split()) or _VIRTUAL.search(one.interface):
            kind = 3
        elif ip.is_link_local or ip in _SHARED:
            kind = 2
        else:
            kind = 0 if any(_PHYSICAL.search(word) for word in one.interface.split()) else 1
        home = next((place for place, network in enumerate(_HOME) if ip in network), len(_HOME))
        return kind, one.ip != routed, home, int(ip)

    usable = [one for one in found if not ipaddress.IPv4Address(one.ip).is_loopback]
    return tuple(dict.fromkeys(one.ip for one in sorted(usable, key=rank)))


def _default_route_source() -> str | None:
    """Return the source address of the default route; connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])
