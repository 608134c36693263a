"""Trains the network that sees wooden things on printed boards: raised from the print, whatever their colours."""
