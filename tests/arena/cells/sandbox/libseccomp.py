"""A profile as a container engine loads it: the rules handed to libseccomp as runc does it, and the filter that comes out."""

import ctypes
import os
from ctypes.util import find_library
from typing import Any

from bullring.arena.cells.sandbox.seccomp.syscalls import Machine

MASKED_EQ = 7
UNKNOWN = -1


class Comparison(ctypes.Structure):
    _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def load() -> ctypes.CDLL | None:
    name = find_library("seccomp")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_arch_native.restype = ctypes.c_uint32
    library.seccomp_arch_remove.argtypes = library.seccomp_arch_add.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_void_p,
    ]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    library.seccomp_release.restype = None
    return library


def compile_profile(library: ctypes.CDLL, profile: dict[str, Any], machine: Machine) -> bytes:
    """The filter as the engine would load it. Names that this libseccomp does not know are passed over."""
    actions = {"SCMP_ACT_ALLOW": 0x7FFF0000, "SCMP_ACT_ERRNO": 0x00050000}
    default = actions[profile["defaultAction"]] | profile["defaultErrnoRet"]
    context = library.seccomp_init(default)
    try:
        if library.seccomp_arch_native() != machine.audit:
            assert library.seccomp_arch_add(context, machine.audit) == 0
            assert library.seccomp_arch_remove(context, library.seccomp_arch_native()) == 0
        for entry in profile["syscalls"]:
            action = actions[entry["action"]] | entry.get("errnoRet", 0)
            if action == default:
                continue  # as runc does, because libseccomp does not take it
            conditions = entry.get("args", [])
            array = (Comparison * len(conditions))(
                *(Comparison(each["index"], MASKED_EQ, each["value"], each["valueTwo"]) for each in conditions)
            )
            assert all(each["op"] == "SCMP_CMP_MASKED_EQ" for each in conditions)
            for name in entry["names"]:
                number = library.seccomp_syscall_resolve_name(name.encode())
                if number == UNKNOWN:
                    continue
                failed = library.seccomp_rule_add_array(context, action, number, len(conditions), array)
                assert failed == 0, (name, conditions, os.strerror(-failed))
        read, write = os.pipe()
        with os.fdopen(read, "rb") as source:
            os.set_blocking(write, False)  # a program longer than a pipe is wide would be an error, not a wait
            assert library.seccomp_export_bpf(context, write) == 0
            os.close(write)
            return source.read()
    finally:
        library.seccomp_release(context)
