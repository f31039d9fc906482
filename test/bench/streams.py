#!/usr/bin/env python3
"""Compares proxies on calls of gRPC that stream in both directions, HTTP/2 over TLS on both sides: busy and idle ones.

  streams.py --target portcullis=build/image/bin/portcullis --target heimdall=/path/to/heimdall
             [--idle 10000] [--busy 1000]

Each target must take `serve proxy -c config.yaml --insecure` and trust the certificates that SSL_CERT_FILE names.
Printed for each: memory (KB) and CPU (ms a minute) of one idle stream, messages of 64 bytes a second over busy ones
with the CPU of 100,000. Clients have 100 streams a connection. They and the upstream are Python on the same machine, so
that messages a second say what this machine can do; the CPU is the target's alone.
"""
import argparse
import asyncio
import multiprocessing
import os
import pathlib
import shutil
import ssl
import struct
import subprocess
import tempfile
import time

import bench
import tunnels

PER_CONNECTION = 100
MESSAGE = b"\x00" + struct.pack(">I", 59) + b"m" * 59
DATA, HEADERS, RST, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WINDOW = 1 << 24


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """A field without indexing whose name and value are shorter than 127 bytes (RFC 7541, 6.2.2)."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


# indexed fields of the static table: 0x83 `:method: POST`, 0x87 `:scheme: https`, 0x88 `:status: 200`
REQUEST = (b"\x83\x87" + literal(b":path", b"/stream.Echo/Talk") + literal(b":authority", b"bench")
           + literal(b"content-type", b"application/grpc") + literal(b"te", b"trailers"))
ANSWER = b"\x88" + literal(b"content-type", b"application/grpc")
BEGIN = (frame(SETTINGS, 0, 0, struct.pack(">HIHI", 3, 1000, 4, WINDOW))
         + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", WINDOW)))


class Http2(asyncio.Protocol):
    """As much of HTTP/2 as this needs: no padding, no CONTINUATION, windows that small messages do not use up."""

    def connection_made(self, transport):
        self.transport, self.received, self.taken, self.lost = transport, b"", 0, False
        transport.write(self.preface() + BEGIN)

    def preface(self):
        return b""

    def connection_lost(self, _):
        self.lost = True

    def data_received(self, data):
        self.received += data
        at, out = 0, []
        if self.received.startswith(PREFACE):
            at = len(PREFACE)
        while len(self.received) - at >= 9:
            length = int.from_bytes(self.received[at:at + 3], "big")
            if len(self.received) - at < 9 + length:
                break
            kind, flags, stream = struct.unpack(">BBI", self.received[at + 3:at + 9])
            payload = self.received[at + 9:at + 9 + length]
            at += 9 + length
            if kind == SETTINGS and not flags & ACK:
                out.append(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                out.append(frame(PING, ACK, 0, payload))
            elif kind == DATA:
                self.taken += length
                if self.taken > WINDOW // 2:
                    out.append(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", self.taken)))
                    self.taken = 0
                out.append(self.data(stream, payload, flags & END_STREAM))
            elif kind == HEADERS:
                out.append(self.headers(stream, payload, flags & END_STREAM))
            elif kind == RST:
                out.append(self.headers(stream, b"", True))
        self.received = self.received[at:]
        answer = b"".join(out)
        if answer:
            self.transport.write(answer)


class Upstream(Http2):
    """Echoes each message."""

    def headers(self, stream, block, ended):
        return frame(HEADERS, END_HEADERS, stream, ANSWER) if block else b""

    def data(self, stream, payload, ended):
        echo = frame(DATA, 0, stream, payload) if payload else b""
        return echo + frame(HEADERS, END_HEADERS | END_STREAM, stream, literal(b"grpc-status", b"0")) if ended else echo


class Client(Http2):
    def __init__(self):
        self.opened, self.failed, self.streams, self.until, self.messages = set(), 0, 0, 0, 0

    def preface(self):
        return PREFACE

    def open(self, count):
        self.streams = count
        self.transport.write(b"".join(frame(HEADERS, END_HEADERS, 2 * i + 1, REQUEST)
                                      + frame(DATA, 0, 2 * i + 1, MESSAGE)
                                      for i in range(count)))

    def headers(self, stream, block, ended):
        if ended or not block.startswith(b"\x88"):
            self.failed += stream not in self.opened
        return b""

    def data(self, stream, payload, ended):
        self.messages += payload.count(b"\x00\x00\x00\x00\x3b")
        self.opened.add(stream)
        return frame(DATA, 0, stream, MESSAGE) if time.time() < self.until else b""

    def is_open(self):
        return self.lost or len(self.opened) + self.failed >= self.streams

    def talk(self, until):
        self.until = until
        self.transport.write(b"".join(frame(DATA, 0, stream, MESSAGE) for stream in self.opened))


def serve_upstream(port, certificate):
    tunnels.files_allowed()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.set_alpn_protocols(["h2"])

    async def run():
        server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", port, ssl=context, backlog=4096)
        await server.serve_forever()
    asyncio.run(run())


class Target(tunnels.Target):
    RULES = bench.rule("stream", "/stream.Echo/:method", ["authenticator: anon", "finalizer: nothing"]).replace(
        "forward_to: { ", "forward_to: { rewrite: { scheme: https }, ")

    def __init__(self, folder, up, name, command, certificate):
        self.certificate = certificate
        super().__init__(folder, up, name, command, self.RULES, f", tls: {{ key_store: {{ path: '{certificate}' }} }}",
                         {"SSL_CERT_FILE": str(folder / "tls.crt")})

    def answers(self):
        return asyncio.run(self.first())

    async def first(self):
        try:
            opened = await self.open(1)
            for one in opened:
                one.transport.close()
            return len(opened) == 1
        except OSError:
            return False

    async def open(self, count):
        """Opens streams, and waits until each has its first message back; returns the connections."""
        context, clients = ssl.create_default_context(cafile=self.certificate), []
        context.check_hostname = False
        context.set_alpn_protocols(["h2"])
        for i in range(0, count, PER_CONNECTION):
            address = f"127.{1 + i // PER_CONNECTION // 250}.0.{1 + i // PER_CONNECTION % 250}"
            _, client = await asyncio.get_running_loop().create_connection(
                Client, "127.0.0.1", self.port, ssl=context, server_hostname="bench", local_addr=(address, 0))
            client.open(min(PER_CONNECTION, count - i))
            clients.append(client)
            end = time.time() + 30
            while not client.is_open() and time.time() < end:
                await asyncio.sleep(0.005)
        return [client for client in clients if client.opened and not client.lost]

    @staticmethod
    def count(clients):
        return sum(len(client.opened) for client in clients)

    async def idle(self, count, seconds):
        before = bench.memory(self.process.pid, "VmRSS")
        clients = await self.open(count)
        n = self.count(clients)
        await asyncio.sleep(2)
        kb = (bench.memory(self.process.pid, "VmRSS") - before) * 1024 / max(1, n)
        spent = self.cpu()
        await asyncio.sleep(seconds)
        spent = (self.cpu() - spent) * 60_000 / seconds / max(1, n)
        for client in clients:
            client.transport.abort()
        return n, kb, spent

    async def busy(self, count, seconds):
        clients = await self.open(count)
        before, spent, end = sum(client.messages for client in clients), self.cpu(), time.time() + seconds
        for client in clients:
            client.talk(end)
        await asyncio.sleep(seconds + 0.5)
        spent, sent = self.cpu() - spent, sum(client.messages for client in clients) - before
        for client in clients:
            client.transport.abort()
        return self.count(clients), sent / seconds, spent / max(1, sent) * 1e5


def certificate(folder):
    """Makes a certificate for the proxy and the upstream, which trusts itself; returns the file with its key."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", "/CN=bench", "-addext", "subjectAltName=DNS:bench,IP:127.0.0.1", "-addext",
                    "keyUsage=critical,digitalSignature", "-keyout", str(folder / "tls.key"),
                    "-out", str(folder / "tls.crt")], check=True, stderr=subprocess.DEVNULL)
    both = folder / "tls.pem"
    both.write_text((folder / "tls.key").read_text() + (folder / "tls.crt").read_text())
    both.chmod(0o600)
    return str(both)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--idle", type=int, default=10_000, help="streams that say nothing")
    parser.add_argument("--busy", type=int, default=1_000, help="streams that exchange messages")
    parser.add_argument("--seconds", type=int, default=10, help="of one measurement")
    args = parser.parse_args()
    tunnels.files_allowed()
    folder, up = pathlib.Path(tempfile.mkdtemp(prefix="streams-")), bench.free_port()
    pem = certificate(folder)
    upstream = multiprocessing.Process(target=serve_upstream, args=(up, pem), daemon=True)
    upstream.start()
    try:
        for name, command in (t.split("=", 1) for t in args.target):
            program = command.split()[0]
            target = Target(folder, up, name, os.path.abspath(program) + command[len(program):], pem)
            try:
                n, kb, ms = asyncio.run(target.idle(args.idle, args.seconds))
                print(f"{name:12} {n} idle streams: {kb:.1f} KB and {ms:.2f} ms of CPU a minute each", flush=True)
                n, rate, cpu = asyncio.run(target.busy(args.busy, args.seconds))
                print(f"{name:12} {n} busy streams: {rate:.0f} messages/s, {cpu:.2f} s of CPU for 100,000", flush=True)
            finally:
                target.close()
    finally:
        upstream.terminate()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
