"""Everything that teaches vision what it looks at: marker cards, colour profiles, simulated tables."""
