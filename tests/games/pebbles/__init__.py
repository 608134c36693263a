"""A made-up game that shows what a game has to bring along: two players take pebbles, and each hides a number."""
