"""Enrolment of printed boards: their pictures, features and places."""
