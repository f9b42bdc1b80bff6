"""The web lab: `kibitz serve`. Needs the extra `web` (NiceGUI)."""
