"""What the tests of this folder share: real Nodes and npm packages, out of the cache that the command uses too."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyprof.nodes import Cache, Npm, Store


@pytest.fixture(scope="session")
def store() -> Store:
    cache = Cache()
    return Store(cache, Npm(cache), print)


@pytest.fixture(scope="session", params=["system", "12.19.0"])
def any_node(request: pytest.FixtureRequest, store: Store) -> Path:
    """The newest and the oldest kind of Node that the driver meets."""
    return Path(store.find(request.param).exec_path)


@pytest.fixture(scope="session")
def tool_node(store: Store) -> Path:
    """The Node that runs npm, node-gyp and the load generator."""
    return Path(store.npm.node)


@pytest.fixture(scope="session")
def tool_modules(store: Store) -> Path:
    """`node_modules` with autocannon."""
    return store.tools()
