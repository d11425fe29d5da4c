"""At which addresses phones in the same network reach this machine; needs no internet."""

from __future__ import annotations

import ipaddress
import socket

import ifaddr

# Adapters that lead to virtual machines and tunnels, not to a kitchen table.
VIRTUAL = ("docker", "veth", "br-", "vmnet", "vboxnet", "virbr", "tun", "utun", "wg", "tailscale", "zt")


def lan_addresses() -> list[str]:
    """Return this machine's addresses in local networks, the likeliest first."""
    found = []
    for adapter in ifaddr.get_adapters():
        virtual = adapter.nice_name.lower().startswith(VIRTUAL) or "virtual" in adapter.nice_name.lower()
        for ip in adapter.ips:
            if isinstance(ip.ip, str) and _is_reachable(ip.ip):
                found.append((virtual, _habit(ip.ip), ip.ip))
    return [address for _virtual, _order, address in sorted(set(found))]


def _is_reachable(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _habit(text: str) -> int:
    # Home routers hand out 192.168 addresses, larger networks 10; 172.16 is mostly virtual.
    prefixes = ("192.168.", "10.", "172.")
    return next((i for i, prefix in enumerate(prefixes) if text.startswith(prefix)), len(prefixes))


def served_hosts(bind: str, override: str | None) -> list[str]:
    """Return the names to put into addresses for a server bound to *bind*."""
    if override:
        return [override]
    if bind in ("0.0.0.0", "::", ""):
        return lan_addresses() or [socket.gethostname()]
    return [bind]


def web_address(scheme: str, host: str, port: int) -> str:
    """Return an address such as ``http://192.168.1.20:8000/``."""
    name = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}/" if port == default else f"{scheme}://{name}:{port}/"
