"""Enrolment of cards: the deck, and one card cut out of a picture."""
