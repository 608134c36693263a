"""Everything that makes what the readers have learned: scenes, fitting and evaluation."""
