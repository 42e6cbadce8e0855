"""A pytest plugin that plays a share of the tests: `-p tests.everyone.share --share 2/6` is every sixth of them, by their names."""

import zlib

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--share", default="1/1", help="K/N: of N shares, from 0 on, the one with the number K")


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist adds to the names
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    which, of = map(int, config.getoption("--share").split("/"))
    shares = [zlib.crc32(item.nodeid.encode()) % of for item in items]
    config.hook.pytest_deselected(items=[item for item, share in zip(items, shares, strict=True) if share != which])
    items[:] = [item for item, share in zip(items, shares, strict=True) if share == which]
