"""The accuracy report: what a scanner sees, held against what is true, in figures and in pictures."""
