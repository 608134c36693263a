"""HTTP routes: running and saved games, score downloads, enrolment, phone camera, app installation, diagnostics."""
