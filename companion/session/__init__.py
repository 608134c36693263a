"""One game on disk: the journal of moves, undo, correction and replay.

The rest of the house uses `Session`, `Entry` and `SessionError`.
"""
