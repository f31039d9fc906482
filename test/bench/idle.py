#!/usr/bin/env python3
"""What 10,000 idle WebSockets cost that are registered to end in time: without an end, until a token expires, and
decided again.

  idle.py --target portcullis=build/image/bin/portcullis [--idle 10000] [--seconds 60]

Printed for each: memory (KB) of one, and the CPU of all in percent of a core. The first line is the program without
streams, the second, whose streams have no end, what connections cost by themselves; the differences to it are what it
costs to end the others in time.
"""
import argparse
import asyncio
import json
import multiprocessing
import os
import pathlib
import shutil
import tempfile
import time

import bench
import jose
import tunnels

USERS = 200


def rule(name, authenticator, extra=""):
    return bench.rule(name, f"/{name}/:id", [f"authenticator: {authenticator}", "finalizer: nothing"], extra)


KINDS = [("endless", "without an end", False), ("expiring", "until a token expires", True),
         ("revalidated", "decided again each 5 m", True), ("often", "decided again each 20 s", True)]
RULES = (bench.rule("upload", "/upload/:id", ["authenticator: anon", "finalizer: nothing"]) + rule("endless", "anon")
         + rule("expiring", "token") + rule("revalidated", "token", "    revalidate: 5m\n")
         + rule("often", "token", "    revalidate: 20s\n"))


class Upstream(tunnels.Upstream):
    """Publishes the keys of the tokens, too."""

    def data_received(self, data):
        if not self.upgraded and data.startswith(b"GET /jwks"):
            key = dict({k: v for k, v in bench.KEYS["ec256"].items() if k != "d"}, kid="ec256", alg="ES256", use="sig")
            body = json.dumps({"keys": [key]}).encode()
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                                 % len(body) + body)
        else:
            super().data_received(data)


def serve_upstream(port):
    tunnels.files_allowed()

    async def run():
        server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", port, backlog=4096)
        await server.serve_forever()
    asyncio.run(run())


class Target(tunnels.Target):
    def use(self, path, tokens):
        self.path, self.tokens = path, tokens

    async def idle(self, count, seconds):
        before = bench.memory(self.process.pid, "VmRSS")
        opened = await self.open(count)
        await asyncio.sleep(10)  # the compiler still works on what opening them needed
        kb = (bench.memory(self.process.pid, "VmRSS") - before) * 1024 / max(1, len(opened))
        spent = self.cpu()
        await asyncio.sleep(seconds)
        spent = (self.cpu() - spent) * 100 / seconds
        for _, writer in opened:
            writer.close()
        return len(opened), kb, spent

    async def open(self, count):
        opened, slots = [], asyncio.Semaphore(100)

        async def one(i):
            address = f"127.{1 + i // tunnels.PER_ADDRESS // 250}.0.{1 + i // tunnels.PER_ADDRESS % 250}"
            head = tunnels.UPGRADE.replace(b"/tunnel/1", f"/{self.path}/1".encode())
            if self.tokens:
                head = head[:-2] + f"Authorization: Bearer {self.tokens[i % USERS]}\r\n\r\n".encode()
            async with slots:
                try:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
                    writer.write(head)
                    answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
                    if answer.startswith(b"HTTP/1.1 101"):
                        opened.append((reader, writer))
                    else:
                        writer.close()
                except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                    pass
        await asyncio.gather(*(one(i) for i in range(count)))
        return opened


def tokens():
    now = int(time.time())
    return [jose.sign({"iss": "bench", "sub": f"user-{i}", "sid": f"s-{i}", "iat": now, "exp": now + 3600,
                       "groups": ["staff"]}, bench.KEYS["ec256"], "ES256", kid="ec256") for i in range(USERS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--idle", type=int, default=10_000, help="streams that say nothing")
    parser.add_argument("--seconds", type=int, default=60, help="of one measurement")
    args = parser.parse_args()
    tunnels.files_allowed()
    folder, up = pathlib.Path(tempfile.mkdtemp(prefix="idle-")), bench.free_port()
    upstream = multiprocessing.Process(target=serve_upstream, args=(up,), daemon=True)
    upstream.start()
    name, command = args.target.split("=", 1)
    program = command.split()[0]
    command = os.path.abspath(program) + command[len(program):]
    signed = tokens()
    try:
        target = Target(folder / "none", up, name, command, RULES)
        try:
            target.use("endless", [])
            _, _, cpu = asyncio.run(target.idle(0, args.seconds))
            print(f"{name:12} no streams: {cpu:.2f} % of a core", flush=True)
        finally:
            target.close()
        for path, about, identified in KINDS:
            target = Target(folder / path, up, name, command, RULES)
            target.use(path, signed if identified else [])
            try:
                asyncio.run(target.idle(200, 1))  # code and pools that the first ones need
                n, kb, cpu = asyncio.run(target.idle(args.idle, args.seconds))
                print(f"{name:12} {n} idle streams {about}: {kb:.1f} KB each, {cpu:.2f} % of a core", flush=True)
            finally:
                target.close()
    finally:
        upstream.terminate()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
