"""The addresses that phones are told."""

import ifaddr
import pytest

from web import addresses
from web.addresses import lan_addresses, served_hosts, web_address


def an_adapter(name, *ips):
    """Build a network adapter as the system describes it; IPv6 addresses come as triples."""
    return ifaddr.Adapter(name, name, [ifaddr.IP(ip, 24, name) for ip in ips])


@pytest.fixture
def network(monkeypatch):
    """Put this machine into another network."""

    def plug_in(*adapters):
        monkeypatch.setattr(addresses.ifaddr, "get_adapters", lambda: adapters)

    return plug_in


@pytest.mark.parametrize(
    ("scheme", "host", "port", "address"),
    [
        pytest.param("http", "192.168.1.20", 8000, "http://192.168.1.20:8000/", id="usual"),
        pytest.param("http", "192.168.1.20", 80, "http://192.168.1.20/", id="the port of http"),
        pytest.param("https", "192.168.1.20", 443, "https://192.168.1.20/", id="the port of https"),
        pytest.param("https", "192.168.1.20", 80, "https://192.168.1.20:80/", id="the port of the other"),
        pytest.param("http", "kitchen.local", 8000, "http://kitchen.local:8000/", id="a name"),
        pytest.param("http", "fd00::1", 8000, "http://[fd00::1]:8000/", id="IPv6"),
        pytest.param("https", "::1", 443, "https://[::1]/", id="IPv6 without a port"),
    ],
)
def test_an_address_is_written_as_browsers_want_it(scheme, host, port, address):
    assert web_address(scheme, host, port) == address


def test_the_likeliest_address_comes_first(network):
    network(
        an_adapter("docker0", "172.17.0.1"),
        an_adapter("eth1", "172.20.0.5"),
        an_adapter("eth0", "10.0.0.7"),
        an_adapter("wlan0", "192.168.1.20"),
        an_adapter("ppp0", "81.2.69.142"),
    )

    assert lan_addresses() == ["192.168.1.20", "10.0.0.7", "172.20.0.5", "81.2.69.142", "172.17.0.1"]


@pytest.mark.parametrize("name", ["VirtualBox Host-Only Network", "vmnet8", "wg0", "tailscale0", "veth12ab"])
def test_adapters_of_virtual_machines_and_tunnels_come_last(network, name):
    network(an_adapter(name, "192.168.56.1"), an_adapter("eth0", "10.0.0.7"))

    assert lan_addresses() == ["10.0.0.7", "192.168.56.1"]


@pytest.mark.parametrize("ip", ["127.0.0.1", "169.254.10.20", "0.0.0.0", ("fe80::1", 0, 2)])
def test_what_a_phone_cannot_reach_is_left_out(network, ip):
    network(an_adapter("eth0", ip))

    assert lan_addresses() == []


def test_an_address_on_two_adapters_is_told_once(network):
    network(an_adapter("eth0", "10.0.0.7"), an_adapter("wlan0", "10.0.0.7"))

    assert lan_addresses() == ["10.0.0.7"]


def test_this_machine_has_only_addresses_that_can_be_told():
    assert all(web_address("http", host, 8000).startswith("http://") for host in lan_addresses())


@pytest.mark.parametrize("bind", ["0.0.0.0", "::", ""])
def test_a_server_on_all_addresses_is_found_at_those_of_the_network(network, bind):
    network(an_adapter("wlan0", "192.168.1.20"))

    assert served_hosts(bind, None) == ["192.168.1.20"]


def test_a_server_on_one_address_is_found_there(network):
    network(an_adapter("wlan0", "192.168.1.20"))

    assert served_hosts("127.0.0.1", None) == ["127.0.0.1"]


def test_an_address_that_was_given_is_the_one_that_is_told(network):
    network(an_adapter("wlan0", "192.168.1.20"))

    assert served_hosts("0.0.0.0", "games.example") == ["games.example"]


def test_a_machine_without_a_network_goes_by_its_name(network, monkeypatch):
    network()
    monkeypatch.setattr(addresses.socket, "gethostname", lambda: "kitchen")

    assert served_hosts("0.0.0.0", None) == ["kitchen"]
