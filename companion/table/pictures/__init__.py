"""Pictures for people, with the readings drawn over them."""
