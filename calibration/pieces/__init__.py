"""Enrolment of pieces: specimens found in pictures, and what each kind looks like."""
