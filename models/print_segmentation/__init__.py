"""Training of the print segmentation: wooden pieces on printed boards, whatever their colours."""
