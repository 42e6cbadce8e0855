"""Calls the referee's machine on its loopback, where services listen that trust everybody there. Bound: two calls."""

import socket

from hostile import TARGETS, play, refused

HOST, TCP, UDP = TARGETS["loopback"]


def connect():
    with socket.create_connection((HOST, TCP), timeout=0.2) as connection:
        return connection.getpeername()


def ask():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.settimeout(0.1)
        datagrams.connect((HOST, UDP))
        datagrams.send(b"hello")
        return datagrams.recv(100)


refused("TCP on the loopback", connect)
refused("UDP on the loopback", ask)
play()
