"""Access control: devices, codes, roles, and what each role may do."""
