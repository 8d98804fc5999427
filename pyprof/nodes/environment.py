"""What of the caller's environment reaches Node: nothing that changes how Node behaves."""

from __future__ import annotations

import os
from collections.abc import Mapping

# Variables that Node and libuv themselves read (`node --help`, its documentation of the command line, and what
# child_process and cluster hand down). NODE_EXTRA_CA_CERTS and NODE_ENV stay: the network and the app need them.
_READ_BY_NODE = {
    "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE", "NODE_COMPILE_CACHE", "NODE_COMPILE_CACHE_PORTABLE",
    "NODE_DEBUG", "NODE_DEBUG_NATIVE", "NODE_DISABLE_COLORS", "NODE_DISABLE_COMPILE_CACHE", "NODE_ICU_DATA",
    "NODE_NO_WARNINGS", "NODE_OPTIONS", "NODE_PATH", "NODE_PENDING_DEPRECATION", "NODE_PENDING_PIPE_INSTANCES",
    "NODE_PRESERVE_SYMLINKS", "NODE_PRESERVE_SYMLINKS_MAIN", "NODE_REDIRECT_WARNINGS", "NODE_REPL_EXTERNAL_MODULE",
    "NODE_REPL_HISTORY", "NODE_REPL_MODE", "NODE_SKIP_PLATFORM_CHECK", "NODE_TEST_CONTEXT",
    "NODE_TLS_REJECT_UNAUTHORIZED", "NODE_UNIQUE_ID", "NODE_USE_ENV_PROXY", "NODE_USE_SYSTEM_CA", "NODE_V8_COVERAGE",
    "UV_THREADPOOL_SIZE", "UV_USE_IO_URING",
}  # fmt: skip


def child_environment(caller: Mapping[str, str] | None = None) -> tuple[dict[str, str], list[str]]:
    """The environment for Nodes under test, and the names that were dropped from the caller's, sorted.

    ``caller`` is this process's environment by default. npm's settings (``npm_config_*`` in any case) are dropped too:
    `npx` and `npm run` export them, and both apps and build tools read them.
    """
    caller = os.environ if caller is None else caller
    dropped = sorted(name for name in caller if name in _READ_BY_NODE or name.lower().startswith("npm_config_"))
    return {name: value for name, value in caller.items() if name not in dropped}, dropped


def npm_environment(node: str) -> dict[str, str]:
    """The environment for npm itself: its settings are the user's business, Node's options are not.

    ``node`` is the folder of the Node that runs it, which goes first on PATH for what npm starts.
    """
    environment = {name: value for name, value in os.environ.items() if name not in _READ_BY_NODE}
    environment["PATH"] = os.pathsep.join([node, environment.get("PATH", os.defpath)])
    return environment
