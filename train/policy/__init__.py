"""The parts of a bot with a trained policy: reading questions, and running a network. They import numpy and nothing of Bullring.

The folder is copied as it is into the folder of a bot that runs a policy (`bullring new python NAME --from-policy FILE`), so its
modules import each other relatively.
"""
