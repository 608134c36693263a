"""Reads where the wizards stand: the network on upright crops, and the joint decision over all places."""
