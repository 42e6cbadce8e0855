"""Sizes in words."""


def size_text(size: int) -> str:
    """A number of bytes for people: "512 B", "3.4 KB", "210 MB"."""
    if size < 1000:
        return f"{size} B"
    value = float(size)
    for unit in ("KB", "MB", "GB"):
        value /= 1000
        if value < 999.5:
            return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"
    return f"{value / 1000:.1f} TB"
