"""A home as a static site: `templates` are its pages, filled by `pages`; `charts` draws, `folder` writes only changed files."""
