"""What a table knows about itself: printable sheets, camera and table plane, taught pieces and cards."""
