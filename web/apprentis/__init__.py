"""The pages of Les Apprentis Gardiens."""
