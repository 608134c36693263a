"""The camera over a table: the calibration sheet, the lens, and the plane found with them."""
