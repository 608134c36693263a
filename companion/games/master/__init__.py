"""The rules of Master Labyrinth, complete and pure. Numbers such as `M5` refer to docs/rules/master.md."""
