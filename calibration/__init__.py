"""Profile of a table: printable sheets, camera and table plane, enrolled pieces, cards and boards."""
