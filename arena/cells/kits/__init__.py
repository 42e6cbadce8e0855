"""Kits: what a new bot in some language begins with. One folder per language in `sample_bots/kits`, declared by its `kit.toml`."""
