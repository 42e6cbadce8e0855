"""Advice for people whose machine cannot run bubblewrap."""

from pathlib import Path

_SWITCHES = {
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "AppArmor keeps programs from creating user namespaces (Ubuntu since 23.10). Allow it for bubblewrap with the profile"
        " bwrap-userns-restrict (apt install apparmor-profiles, copy the profile from /usr/share/apparmor/extra-profiles to"
        " /etc/apparmor.d, then run: systemctl reload apparmor), or for all programs:"
        " sysctl kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    "/proc/sys/kernel/unprivileged_userns_clone": (
        "0",
        "this kernel does not let ordinary users create namespaces; allow it with: sysctl kernel.unprivileged_userns_clone=1",
    ),
    "/proc/sys/user/max_user_namespaces": (
        "0",
        "this machine allows no user namespaces; allow them with: sysctl user.max_user_namespaces=10000",
    ),
}


def for_bubblewrap(said: bytes) -> str:
    """Advice for a bubblewrap that could not create its namespaces; `said` is its stderr. Empty if there is none."""
    for switch, (shut, remedy) in _SWITCHES.items():
        try:
            if Path(switch).read_text("ascii").strip() == shut:
                return f". {remedy}"
        except OSError:
            continue
    if b"Operation not permitted" in said or b"Permission denied" in said:
        return (
            ". Inside a container, the container must be allowed to create namespaces"
            " (Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined)"
        )
    return ""
