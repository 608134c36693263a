"""Light of a picture: corrects uneven light, and detects pictures without colours."""
