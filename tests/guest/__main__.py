"""`python -m tests.guest [COMMAND]`: boot the guest anew and run a command as root in a copy of the checkout (default: `inside`).

Nothing that the command writes is kept. Making the guest needs root, debootstrap and Debian's archive; it is slow without KVM.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bullring-guest"

PACKAGES = (
    *("linux-image-cloud-amd64", "systemd-sysv", "dbus-user-session", "libpam-systemd", "polkitd", "login", "procps"),
    *("bubblewrap", "python3", "python3-venv", "git", "make", "gcc", "g++", "libc6-dev", "ca-certificates"),
)
LIMIT = int(os.environ.get("GUEST_LIMIT", "3600"))
"""Seconds in which the command must end."""

UNIT = """\
[Unit]
After=multi-user.target

[Service]
Type=oneshot
ExecStart=/bin/bash -c 'mkdir -p /srv/bullring && cd /srv/bullring && tar -xf /dev/vdb && ln -s /opt/venv .venv && bash -l .command'
ExecStopPost=/bin/sh -c 'echo "verdict: $$EXIT_STATUS" > /dev/ttyS0; systemctl poweroff --force'
StandardInput=tty
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
TimeoutStartSec=infinity

[Install]
WantedBy=graphical.target
"""

SETUP = f"""
set -e
mount -t proc proc /proc
export DEBIAN_FRONTEND=noninteractive
apt-get install --yes -qq --no-install-recommends {" ".join(PACKAGES)} >/dev/null
apt-get clean
systemctl set-default graphical.target
systemctl enable guest.service
systemctl mask serial-getty@ttyS0.service getty@tty1.service apt-daily.timer apt-daily-upgrade.timer e2scrub_reap.service
useradd --create-home --shell /bin/bash somebody
echo kernel.yama.ptrace_scope = 1 > /etc/sysctl.d/yama.conf
echo guest > /etc/hostname
echo 127.0.0.1 localhost guest > /etc/hosts
python3 -m venv /opt/venv
/opt/venv/bin/python -m pip install --quiet --no-index --find-links /tmp/wheels -r /tmp/requirements.lock
rm -r /tmp/wheels
ln -s /srv/bullring/.venv/bin/bullring /usr/local/bin/bullring
"""


def main() -> int:
    """The exit code of the command."""
    guest = image()
    with tempfile.TemporaryDirectory(prefix="bullring-guest-") as folder:
        checkout = Path(folder) / "checkout.tar"
        pack(checkout, shlex.join(sys.argv[1:]) or "bash tests/guest/inside")
        return boot(guest, checkout)


def image() -> Path:
    """The folder of the guest's disk, kernel and initrd, made if it does not exist."""
    lock = (ROOT / "requirements.lock").read_bytes()
    made = CACHE / hashlib.sha256(repr((PACKAGES, UNIT, SETUP, lock)).encode()).hexdigest()[:16]
    if made.exists():
        return made
    print(f"making the guest in {made}", flush=True)
    shutil.rmtree(CACHE, ignore_errors=True)
    CACHE.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        root = Path(folder) / "root"
        subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root], check=True, stdout=subprocess.DEVNULL)
        (root / "etc/systemd/system/guest.service").write_text(UNIT)
        (root / "tmp/requirements.lock").write_bytes(lock)
        pip: list[str | Path] = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download"]
        pip += ["--only-binary=:all:", "--python-version=3.11", "--require-hashes"]
        subprocess.run([*pip, "-r", root / "tmp/requirements.lock", "-d", root / "tmp/wheels"], check=True)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        inside: list[str | Path] = ["unshare", "--mount", "chroot", root, "/bin/bash", "-c", SETUP]
        subprocess.run(inside, check=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
        new = Path(folder) / "guest"
        new.mkdir()
        for name in ("vmlinuz", "initrd.img"):
            shutil.copy(root / name, new / name)
        subprocess.run(["mkfs.ext4", "-q", "-d", root, new / "disk", "6G"], check=True)
        new.rename(made)
    return made


def pack(archive: Path, command: str) -> None:
    """An archive of the checkout, with this command in it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    script = archive.with_name(".command")
    script.write_text(f"/opt/venv/bin/python -m pip install -q --no-deps --no-build-isolation -e . && {command}\n")
    there = b"\0".join(name for name in listed.stdout.split(b"\0") if name and (ROOT / os.fsdecode(name)).exists())
    subprocess.run(
        [
            "tar",
            "-cf",
            archive,
            "--owner=0",
            "--group=0",
            "-C",
            script.parent,
            script.name,
            "-C",
            ROOT,
            "--null",
            "--verbatim-files-from",
            "-T",
            "-",
        ],
        input=there,
        check=True,
    )


def boot(guest: Path, checkout: Path) -> int:
    """Boot, print what comes over the serial line, and return the exit code of the command."""
    # Where the machine is a guest itself, /dev/kvm may exist but need kernels made for it.
    fast = os.access("/dev/kvm", os.W_OK) and re.search(r"\b(vmx|svm)\b", Path("/proc/cpuinfo").read_text())
    command = [
        *(
            "timeout",
            "--foreground",
            str(LIMIT),
            "qemu-system-x86_64",
            *("-accel", "kvm" if fast else "tcg,thread=multi", "-cpu", "host" if fast else "max"),
        ),
        *(
            "-smp",
            os.environ.get("GUEST_CORES", "2"),
            "-m",
            "2048",
            "-nodefaults",
            "-no-reboot",
            "-display",
            "none",
            "-serial",
            "stdio",
        ),
        *(
            "-kernel",
            guest / "vmlinuz",
            "-initrd",
            guest / "initrd.img",
            "-append",
            "root=/dev/vda rw console=ttyS0 quiet panic=-1 mitigations=off",
        ),
        *(
            "-drive",
            f"file={guest / 'disk'},format=raw,if=virtio,snapshot=on",
            "-drive",
            f"file={checkout},format=raw,if=virtio,readonly=on",
        ),
        *("-device", "virtio-rng-pci"),
    ]
    verdict = 1
    with subprocess.Popen(command, stdout=subprocess.PIPE) as qemu:
        assert qemu.stdout
        for line in qemu.stdout:
            sys.stdout.write(line.decode("utf-8", "replace").replace("\r", ""))
            sys.stdout.flush()
            if told := re.match(rb"verdict: (\d+)", line):
                verdict = int(told[1])
    return verdict


if __name__ == "__main__":
    sys.exit(main())
