"""Who uses the page: devices, codes, roles and access."""
