"""What is measured: held-out synthetic sessions, tables of boards and cards, and folders of others' pictures."""
