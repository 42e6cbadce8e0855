"""Generates the parts of the documents that follow from the code: `python -m docgen`.

Playing needs nothing from here, so nothing in the package imports it.
"""
