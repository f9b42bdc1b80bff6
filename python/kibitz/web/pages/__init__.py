"""The pages of the lab: one module each, with `register(lab)`."""
