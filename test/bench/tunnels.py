#!/usr/bin/env python3
"""Compares proxies on what stays open and on what is large: WebSocket tunnels, idle and busy, and uploads.

  tunnels.py --target portcullis=build/image/bin/portcullis --target heimdall=/path/to/heimdall
             [--idle 10000] [--busy 1000]

Each target must take `serve proxy -c config.yaml --insecure`. Printed for each: memory (KB) and CPU (ms a minute) of
one idle tunnel, messages of 64 bytes a second over busy ones with the CPU of 100,000, and the CPU of an upload of 8 and
64 MB. The clients and the upstream are Python on the same machine, so that messages a second say what this machine can
do; the CPU is the target's alone. Clients come from many addresses of 127.0.0.0/8, as one address may have a share
only.
"""
import argparse
import asyncio
import multiprocessing
import os
import pathlib
import resource
import shlex
import shutil
import socket
import subprocess
import tempfile
import time

import bench

PER_ADDRESS = 50
# Portcullis admits 8,192 requests at once by default, tunnels included: settings that heimdall does not know
LIMITS = {"PORTCULLISCFG_SERVE_REQUEST__LIMIT_IN__FLIGHT": "0", "PORTCULLISCFG_SERVE_REQUEST__LIMIT_CONNECTIONS": "0"}
MESSAGE = b"\x82\x3e" + b"m" * 62
UPGRADE = (b"GET /tunnel/1 HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
ANSWER = (b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
          b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")


def files_allowed():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Upstream(asyncio.Protocol):
    """Echoes behind an upgrade, else reads the body to its end and answers 200."""

    def connection_made(self, transport):
        self.transport, self.head, self.upgraded, self.left = transport, b"", False, None

    def data_received(self, data):
        if self.upgraded:
            self.transport.write(data)
            return
        if self.left is None:
            self.head += data
            end = self.head.find(b"\r\n\r\n")
            if end < 0:
                return
            head, data, self.head = self.head[:end].lower(), self.head[end + 4:], b""
            if b"upgrade: websocket" in head:
                self.upgraded = True
                self.transport.write(ANSWER + data)
                return
            lengths = [line[15:] for line in head.split(b"\r\n") if line.startswith(b"content-length:")]
            self.left = int(lengths[0]) if lengths else 0
        self.left -= len(data)
        if self.left <= 0:
            self.left = None
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def serve_upstream(port):
    files_allowed()

    async def run():
        server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", port, backlog=4096)
        await server.serve_forever()
    asyncio.run(run())


class Target:
    RULES = (bench.rule("tunnel", "/tunnel/:id", ["authenticator: anon", "finalizer: nothing"])
             + bench.rule("upload", "/upload/:id", ["authenticator: anon", "finalizer: nothing"]))

    def __init__(self, folder, up, name, command, rules=RULES, tls="", environment=()):
        self.name, self.port = name, bench.free_port()
        d = folder / name
        (d / "rules").mkdir(parents=True)
        values = {"port": self.port, "mgmt": bench.free_port(), "up": up, "key": folder / "none", "rules": d / "rules",
                  "shadow": "", "tls": tls}
        lines = [line for line in (bench.BASE % values).split("\n") if "id: signed" not in line]
        at = next(i for i, line in enumerate(lines) if "claims: '{" in line)
        (d / "config.yaml").write_text("\n".join(lines[:at - 1] + lines[at + 1:]))
        (d / "rules" / "r.yaml").write_text('version: "1alpha4"\nrules:\n' + rules % values)
        self.process = subprocess.Popen(shlex.split(command) + ["serve", "proxy", "-c", str(d / "config.yaml"),
                                                                "--insecure"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=d,
                                        env=dict(os.environ, **LIMITS, **dict(environment)))
        end = time.time() + 60
        while not self.answers():
            if time.time() > end or self.process.poll() is not None:
                raise RuntimeError(f"{name} did not answer its first request with 200")
            time.sleep(0.05)

    def answers(self):
        return self.upload(1)

    def upload(self, size):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 60) as s:
                s.sendall(f"POST /upload/1 HTTP/1.1\r\nHost: bench\r\nContent-Length: {size}\r\n"
                          "Connection: close\r\n\r\n".encode())
                block = b"u" * (1 << 20)
                for left in range(size, 0, -len(block)):
                    s.sendall(block[:left])
                return s.recv(64).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def cpu(self):
        return bench.cpu_seconds(self.process.pid)

    async def open(self, count):
        """Opens tunnels, at most 100 at once; fewer where the target refuses."""
        opened, slots = [], asyncio.Semaphore(100)

        async def one(i):
            address = f"127.{1 + i // PER_ADDRESS // 250}.0.{1 + i // PER_ADDRESS % 250}"
            async with slots:
                try:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
                    writer.write(UPGRADE)
                    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
                    if head.startswith(b"HTTP/1.1 101"):
                        opened.append((reader, writer))
                    else:
                        writer.close()
                except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                    pass
        await asyncio.gather(*(one(i) for i in range(count)))
        return opened

    async def idle(self, count, seconds):
        before = bench.memory(self.process.pid, "VmRSS")
        opened = await self.open(count)
        await asyncio.sleep(2)
        kb = (bench.memory(self.process.pid, "VmRSS") - before) * 1024 / max(1, len(opened))
        spent = self.cpu()
        await asyncio.sleep(seconds)
        spent = (self.cpu() - spent) * 60_000 / seconds / max(1, len(opened))
        for _, writer in opened:
            writer.close()
        return len(opened), kb, spent

    async def busy(self, count, seconds):
        opened, sent = await self.open(count), 0
        end = time.time() + seconds

        async def talk(reader, writer):
            nonlocal sent
            while time.time() < end:
                writer.write(MESSAGE)
                await reader.readexactly(len(MESSAGE))
                sent += 1
        spent = self.cpu()
        await asyncio.gather(*(talk(*one) for one in opened), return_exceptions=True)
        spent = self.cpu() - spent
        for _, writer in opened:
            writer.close()
        return len(opened), sent / seconds, spent / max(1, sent) * 1e5

    def uploads(self, size, count):
        self.upload(size)
        spent = self.cpu()
        good = sum(self.upload(size) for _ in range(count))
        return good, (self.cpu() - spent) * 1000 / max(1, good)

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--idle", type=int, default=10_000, help="tunnels that say nothing")
    parser.add_argument("--busy", type=int, default=1_000, help="tunnels that exchange messages")
    parser.add_argument("--seconds", type=int, default=10, help="of one measurement")
    args = parser.parse_args()
    files_allowed()
    folder, up = pathlib.Path(tempfile.mkdtemp(prefix="tunnels-")), bench.free_port()
    upstream = multiprocessing.Process(target=serve_upstream, args=(up,), daemon=True)
    upstream.start()
    try:
        for name, command in (t.split("=", 1) for t in args.target):
            program = command.split()[0]
            target = Target(folder, up, name, os.path.abspath(program) + command[len(program):])
            try:
                n, kb, ms = asyncio.run(target.idle(args.idle, args.seconds))
                print(f"{name:12} {n} idle tunnels: {kb:.1f} KB and {ms:.2f} ms of CPU a minute each", flush=True)
                n, rate, cpu = asyncio.run(target.busy(args.busy, args.seconds))
                print(f"{name:12} {n} busy tunnels: {rate:.0f} messages/s, {cpu:.2f} s of CPU for 100,000", flush=True)
                for mb in (8, 64):
                    n, ms = target.uploads(mb << 20, 8)
                    print(f"{name:12} {n} uploads of {mb} MB: {ms:.1f} ms of CPU each", flush=True)
            finally:
                target.close()
    finally:
        upstream.terminate()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
