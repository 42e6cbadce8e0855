"""Kits: what a new bot in some language begins with. One folder per language in `sample_bots/kits`, declared by its `kit.toml`.

Nothing else names a language. What does not differ between languages (`bot.toml`, the README, the ignore file) is made, not copied.
Bots with a codec of their own get the golden vectors, so that they can be tested offline.
"""
