"""The phones' pages and the command line: everything that puts rules, vision and people together."""
