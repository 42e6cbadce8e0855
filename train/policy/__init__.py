"""What a trained policy needs to play: reading questions, and running a network. It imports numpy and nothing of Bullring.

The folder is copied as it is into the folder of a bot that runs a policy (`bullring new python NAME --from-policy FILE`), so its
modules import each other relatively.
"""
