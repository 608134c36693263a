"""Training of the two networks that find the maze's board and compare its sides, on boards of random looks."""
