"""What to do about a machine that cannot confine: in words, for people."""

from pathlib import Path

_SWITCHES = {
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "AppArmor keeps programs from making user namespaces (Ubuntu since 23.10): allow it to bubblewrap with its profile"
        " bwrap-userns-restrict (apt install apparmor-profiles, then copy it from /usr/share/apparmor/extra-profiles to"
        " /etc/apparmor.d and say: systemctl reload apparmor), or to all:"
        " sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    "/proc/sys/kernel/unprivileged_userns_clone": (
        "0",
        "this kernel keeps users from making namespaces; allow it with: sysctl kernel.unprivileged_userns_clone=1",
    ),
    "/proc/sys/user/max_user_namespaces": (
        "0",
        "this machine allows no user namespaces; allow some with: sysctl user.max_user_namespaces=10000",
    ),
}


def for_bubblewrap(said: bytes) -> str:
    """What mends a bubblewrap that could not make its namespaces and `said` so; empty if that is not known."""
    for switch, (shut, remedy) in _SWITCHES.items():
        try:
            if Path(switch).read_text("ascii").strip() == shut:
                return f". {remedy}"
        except OSError:
            continue
    if b"Operation not permitted" in said or b"Permission denied" in said:
        return (
            ". In a container, the container must be allowed to make namespaces"
            " (Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined)"
        )
    return ""
