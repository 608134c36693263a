"""HTTP routes: state, history, exports, phone camera and diagnostics."""
