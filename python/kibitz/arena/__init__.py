"""Matches between players: who sits where, what is played, and what the results mean."""
