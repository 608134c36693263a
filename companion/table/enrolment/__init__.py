"""Set-up of a running table from the page: sheet, pieces, cards, boards and camera."""
