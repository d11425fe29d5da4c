"""The rules of the five games and their record; knows no camera and no browser."""
