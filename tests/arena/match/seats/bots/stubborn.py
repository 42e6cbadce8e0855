"""Ignores SIGTERM, its bye and the end of its stdin."""

import signal
import time

import polite

signal.signal(signal.SIGTERM, signal.SIG_IGN)
polite.play()
time.sleep(60)
