"""The address that a phone scans is the one that it reaches: the home network's, whatever else this machine has."""

from __future__ import annotations

import pytest

from web.serving.network_addresses import NetworkAddress, ordered_by_reach

WIFI = NetworkAddress("192.168.178.20", "wlp3s0")


@pytest.mark.parametrize(
    "name",
    [
        "tun0",
        "wg0",
        "utun4",
        "docker0",
        "veth12ab",
        "br-9f3a",
        "tailscale0",
        "vEthernet (WSL)",
        "VMware Network Adapter",
    ],
)
def test_a_tunnel_or_container_is_never_first_even_where_it_has_the_default_route(name: str) -> None:
    other = NetworkAddress("10.8.0.2", name)
    assert ordered_by_reach([other, WIFI], routed=other.ip) == (WIFI.ip, other.ip)


def test_without_a_default_route_the_networks_address_is_still_found() -> None:
    assert ordered_by_reach([NetworkAddress("127.0.0.1", "lo"), WIFI], routed=None) == (WIFI.ip,)


def test_of_two_networks_the_one_with_the_default_route_comes_first_and_both_are_listed() -> None:
    cable = NetworkAddress("10.0.0.7", "enp2s0")
    assert ordered_by_reach([WIFI, cable], routed=cable.ip) == (cable.ip, WIFI.ip)
    assert ordered_by_reach([cable, WIFI], routed=None) == (WIFI.ip, cable.ip)


def test_an_address_that_a_machine_gave_itself_comes_after_a_real_one() -> None:
    alone = NetworkAddress("169.254.7.1", "eth0")
    assert ordered_by_reach([alone, WIFI], routed=alone.ip) == (WIFI.ip, alone.ip)


def test_windows_names_are_understood() -> None:
    wifi = NetworkAddress("10.0.0.5", "Intel(R) Wi-Fi 6 AX201 {2F1B}")
    virtual = NetworkAddress("192.168.56.1", "VirtualBox Host-Only Ethernet Adapter {9A}")
    assert ordered_by_reach([virtual, wifi]) == (wifi.ip, virtual.ip)
