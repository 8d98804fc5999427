"""Node versions, tools, addons, npm packages and workloads: installed, described, cached, built per Node."""

from __future__ import annotations

from pyprof.nodes.cache import Cache
from pyprof.nodes.environment import child_environment
from pyprof.nodes.node import Node
from pyprof.nodes.npm import Npm
from pyprof.nodes.store import Need, Store

__all__ = ["Cache", "Need", "Node", "Npm", "Store", "child_environment"]
