"""Pictures for people, with the reading drawn over them."""
