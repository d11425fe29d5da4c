"""Teaching the scanner's networks, on simulated tables only. Needs the optional `simulation` packages."""
