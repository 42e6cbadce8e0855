"""A home as a static site: `templates` are its pages, `pages` what they show, `charts` draws, `folder` writes only what has changed."""
