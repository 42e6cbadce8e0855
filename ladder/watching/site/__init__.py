"""A home as a static site: `pages` say what stands where, `charts` draw, `html` escapes, `folder` writes only what has changed."""
