"""A Debian guest under QEMU, for what this machine's kernel and init lack: systemd with cgroups of version 2, and Yama."""
