#!/usr/bin/env python3
"""A hostile run against `duet serve`, on this machine only.

    scripts/hostile.py [SECONDS] [--clients=N] [--senders=N] [--kernels=COUNT] [--memory-log=FILE]
                       [--server=FILE] [--duet=FILE]

Starts a server on 127.0.0.1 and, for SECONDS (600 unless given), sends it random bytes, huge
bodies, requests that come letter by letter, kernels of ours, macros that unfold for ever,
includes of files that are none of its business, and clients that leave in the middle. At the
end the server must be healthy and judge as before, its memory must be flat (in the last quarter
of the time at most a tenth above the second quarter) and its open files must not have grown, in
ten minutes all kernels must have been judged, no process and no file may be left, and no file outside may have been read. Exit code 0
if all of this holds.

Files outside are guarded by their contents, which no answer may have, and by their time of
access, which the system must not have touched (where the file system keeps such times).
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FINE = "__global__ void k(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }"
RACY = "__global__ void k(int *a) { a[0] = threadIdx.x; }"
SECRET = "canary-7f3a91c5"
# What an answer must not take, with the check's own time and a queue before it.
LONGEST = 120
counts = {}
problems = []
lock = threading.Lock()
bombing = threading.Lock()


def count(kind, what):
    with lock:
        counts[(kind, what)] = counts.get((kind, what), 0) + 1


def problem(text):
    with lock:
        if len(problems) < 50:
            problems.append(text)


class Server:
    """The server, and what the system knows about it."""

    def __init__(self, server, duet, folder):
        environment = dict(os.environ, TMPDIR=str(folder))
        environment.setdefault("DUET_Z3", str(ROOT / ".duet/z3/bin/z3"))
        words = [server, "--listen=127.0.0.1:0", "--duet", duet, "--seconds=2", "--memory=3072"]
        self.process = subprocess.Popen(
            words + ["--at-a-time=4", "--per-client=64", "--queue=64"], stdout=subprocess.PIPE, text=True, env=environment
        )
        line = self.process.stdout.readline()
        self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])
        self.folder = folder

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=LONGEST)

    def ask(self, method, path, body=None, kind="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        try:
            connection.request(method, path, body, {"Content-Type": kind} if body else {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def check(self, source, language="cuda", path="/api/check", **others):
        question = {"language": language, "source": source, **others}
        return self.ask("POST", path, json.dumps(question))

    def memory(self):
        """Kilobytes that the server itself holds."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        return 0

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def children(self):
        """Processes below the server, through others or not."""
        parents = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    text = open(f"/proc/{entry}/stat").read()
                    parents[int(entry)] = int(text.rsplit(")", 1)[1].split()[1])
                except OSError:
                    pass
        found, new = set(), {self.process.pid}
        while new:
            new = {one for one, parent in parents.items() if parent in new} - found
            found |= new
        return found


# Each of these makes one request, or what passes for one.


def random_bytes(server, rng):
    with server.connect() as stream:
        stream.settimeout(5)
        stream.sendall(rng.randbytes(rng.choice([1, 10, 1000, 100_000])))
        stream.shutdown(socket.SHUT_WR)
        try:
            while stream.recv(4096):
                pass
        except OSError:
            pass
    return "sent"


def random_json(server, rng):
    body = rng.choice(
        [
            rng.randbytes(200),
            b"{" * 5000,
            b"[" * 60_000,
            b'{"source": "\\ud800", "language": "cuda"}',
            b'{"source": 1, "language": []}',
            json.dumps({"language": "cuda", "source": rng.randbytes(300).decode("latin-1")}).encode(),
            json.dumps({"language": "cuda", "source": FINE, "block_dim": "-1 --format=html"}).encode(),
        ]
    )
    return server.ask(rng.choice(["POST", "PUT"]), rng.choice(["/api/check", "/api/report"]), body)[0]


def huge_body(server, rng):
    with server.connect() as stream:
        stream.settimeout(30)
        claim = rng.choice(["Content-Length: 99999999999", "Transfer-Encoding: chunked"])
        head = f"POST /api/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{claim}\r\n\r\n"
        try:
            stream.sendall(head.encode())
            block = b"10000\r\n" + b"x" * 65536 + b"\r\n"
            for _ in range(160):
                stream.sendall(block)
        except OSError:
            return "cut off"
        try:
            return stream.recv(100)[9:12].decode("latin-1") or "closed"
        except OSError:
            return "cut off"


def long_paths(server, rng):
    path = rng.choice(["/" + "a" * 100_000, "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/api/check?file=/etc/passwd"])
    return server.ask("GET", path)[0]


def leaves(server, rng):
    """A client that goes away while its check runs."""
    body = json.dumps({"language": "cuda", "source": rng.choice([FINE, RACY, bomb(rng)])})
    with server.connect() as stream:
        head = f"POST /api/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        stream.sendall((head + body).encode())
        time.sleep(rng.random())
    return "left"


def bomb(rng):
    kind = rng.randrange(6)
    if kind == 0:
        lines = ["#define A0 x x x x x x x x"]
        lines += [f"#define A{n} " + f"A{n - 1} " * 8 for n in range(1, 14)]
        return "\n".join(lines) + f"\n{FINE}\nint y[] = {{ A13 }};\n"
    if kind == 1:
        return "template<int N> struct S { S<N + 1> next; };\n" + FINE + "\n__device__ S<0> s;\n"
    if kind == 2:
        return "__global__ void k(int *a) { a[0] = " + "(" * 20_000 + "1" + ")" * 20_000 + "; }"
    if kind == 3:
        return "constexpr long f(long n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\n" + FINE + "\nstatic_assert(f(60) > 0, \"\");\n"
    if kind == 4:
        return "__global__ void k(int *a) {" + "for (int i = 0; i < 9; i++) " * 200 + "a[0] = 1; }"
    return "__global__ void k(int *a) { int x[1 << 28]; x[threadIdx.x] = 1; a[x[0]] = 1; }"


def bombs(server, rng):
    # One at a time: each takes a processor for as long as a check may.
    if not bombing.acquire(blocking=False):
        return "another one is under way"
    try:
        return server.check(bomb(rng))[0]
    finally:
        bombing.release()


def reads(server, rng, canaries):
    """Tries to read a file by every way that a text has."""
    name = rng.choice(canaries)
    attempts = [
        f'#include "{name}"\n{FINE}',
        f"#include <{name}>\n{FINE}",
        f'#define P "{name}"\n#include P\n{FINE}',
        f"#define S(x) #x\n#define T(x) S(x)\n#include T({name})\n{FINE}",
        f'#if __has_include("{name}")\n#error there\n#endif\n{FINE}',
        f'const char text[] = {{\n#embed "{name}"\n}};\n{FINE}',
        f'%:inc\\\nlude "{name}"\n{FINE}',
        f'??=include "{name}"\n{FINE}',
        f'/**/#/**/include/**/"{name}"\n{FINE}',
        f'#import "{name}"\n{FINE}',
        f'#include_next "{name}"\n{FINE}',
        f'_Pragma("include_alias(\\"cuda.h\\", \\"{name}\\")")\n{FINE}',
        f'#pragma GCC dependency "{name}"\n{FINE}',
        f'asm(".incbin \\"{name}\\"");\n{FINE}',
        f'__global__ void k(int *a) {{ asm volatile(".include \\"{name}\\""); }}',
        '#include "../../../../../../' + name.lstrip("/") + f'"\n{FINE}',
        f"#include __FILE__\n{FINE}",
        f'#line 1 "{name}"\n__global__ void k(int *a) {{ a[0] = ; }}',
    ]
    path = rng.choice(["/api/check", "/api/report"])
    status, body = server.check(rng.choice(attempts), rng.choice(["cuda", "opencl"]), path)
    if SECRET in body or "root:x:" in body:
        problem(f"an answer has the contents of {name}: {body[:200]}")
    return status


def slow(server, end):
    """Holds connections that send a letter a second, until the server closes them: half of them
    begin with their head, half send that at once and then their body."""
    streams = {}
    made = 0
    head = b"POST /api/check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
    while time.time() < end:
        while len(streams) < 20:
            stream = server.connect()
            made += 1
            streams[stream] = 0
            if made % 2:
                stream.sendall(head)
                streams[stream] = len(head)
            stream.setblocking(False)
        for stream, sent in list(streams.items()):
            try:
                stream.sendall(head[sent : sent + 1] or b"x")
                streams[stream] = sent + 1
                if stream.recv(10) == b"" or streams[stream] > len(head):
                    raise OSError
            except BlockingIOError:
                pass
            except OSError:
                count("slow clients", "closed by the server" + (", head" if sent < len(head) else ", body"))
                del streams[stream]
                stream.close()
        time.sleep(1)
    for stream in streams:
        count("slow clients", "still open at the end")
        stream.close()


class Kernels:
    """The kernels of this repository, each once."""

    def __init__(self, most, rng):
        found = sorted(ROOT.glob("kernels/**/*.cu")) + sorted(ROOT.glob("kernels/**/*.cl"))
        found = [path for path in found if path.stat().st_size < 60_000]
        rng.shuffle(found)
        self.left = found[:most]
        self.all = len(self.left)

    def next(self):
        with lock:
            return self.left.pop() if self.left else None

    def send(self, server, end):
        """Sends one after the other until the end, or until there are no more."""
        while time.time() < end and (path := self.next()):
            language = "cuda" if path.suffix == ".cu" else "opencl"
            try:
                count("kernels", server.check(path.read_text(errors="replace"), language)[0])
            except (OSError, http.client.HTTPException) as error:
                problem(f"kernels: no answer ({error})")


def act(server, end, seed, canaries):
    rng = random.Random(seed)
    deeds = [
        ("random bytes", random_bytes),
        ("random JSON", random_json),
        ("huge bodies", huge_body),
        ("paths", long_paths),
        ("leaving", leaves),
        ("bombs", bombs),
        ("includes", lambda server, rng: reads(server, rng, canaries)),
    ]
    weights = [4, 4, 2, 3, 1, 1, 8]
    while time.time() < end:
        name, deed = rng.choices(deeds, weights)[0]
        try:
            what = deed(server, rng)
            count(name, what)
            if what == 500:
                problem(f"{name}: an error of the server")
        except (OSError, http.client.HTTPException) as error:
            count(name, f"no answer ({type(error).__name__})")


def watch(server, end, samples):
    while time.time() < end:
        begun = time.time()
        try:
            status, body = server.ask("GET", "/health")
            if (status, body) != (200, "ok\n"):
                problem(f"health: {status} {body}")
        except OSError as error:
            problem(f"health: {error}")
        samples.append((begun, server.memory(), server.files(), time.time() - begun))
        time.sleep(2)


def times_are_kept(folder):
    """Does the file system note that a file was read?"""
    probe = folder / "probe"
    probe.write_text("x")
    os.utime(probe, (1_000_000_000, time.time()))
    probe.read_text()
    return probe.stat().st_atime != 1_000_000_000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seconds", nargs="?", type=float, default=600)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--senders", type=int, default=6)
    parser.add_argument("--kernels", type=int, default=1000)
    parser.add_argument("--memory-log", help="write seconds and kilobytes of the server here")
    parser.add_argument("--server", default=str(ROOT / "target/release/duet-serve"))
    parser.add_argument("--duet", default=str(ROOT / "target/release/duet"))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work, tempfile.TemporaryDirectory() as outside:
        outside = pathlib.Path(outside)
        kept = times_are_kept(outside)
        canaries = [outside / "secret.h", outside / "secret.cu", pathlib.Path(work) / "secret.h"]
        for canary in canaries:
            canary.write_text(f"// {SECRET}\n#error {SECRET}\n")
            os.utime(canary, (1_000_000_000, time.time()))
        folder = pathlib.Path(work) / "tmp"
        folder.mkdir()
        server = Server(args.server, args.duet, folder)
        try:
            run(server, args, [str(one) for one in canaries] + ["/etc/passwd"])
            if server.process.poll() is None:
                server.process.send_signal(signal.SIGTERM)
                server.process.wait(timeout=60)
        finally:
            server.process.kill()
            server.process.wait()
        for canary in canaries:
            if kept and canary.stat().st_atime != 1_000_000_000:
                problem(f"{canary} was read")
        print("files outside:", "not read" if kept else "no answer has their contents; times of access are not kept here")
    for text in problems:
        print("PROBLEM:", text)
    print("the server withstood it" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


def run(server, args, canaries):
    if "proved" not in server.check(FINE)[1]:
        problem("a right kernel is not proved at the start")
    begun, samples = time.time(), []
    end = begun + args.seconds
    kernels = Kernels(args.kernels, random.Random(args.seed))
    threads = [threading.Thread(target=watch, args=(server, end, samples)), threading.Thread(target=slow, args=(server, end))]
    for _ in range(args.senders):
        threads.append(threading.Thread(target=kernels.send, args=(server, end)))
    for number in range(args.clients):
        threads.append(threading.Thread(target=act, args=(server, end, args.seed * 100 + number, canaries)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Whatever runs may end at its limits.
    until = time.time() + 90
    while time.time() < until and (server.children() or os.listdir(server.folder)):
        time.sleep(0.5)
    if args.memory_log:
        with open(args.memory_log, "w") as log:
            log.writelines(f"{at - begun:.0f} {kilobytes}\n" for at, kilobytes, _, _ in samples)
    judge(server, samples, kernels, time.time() - begun)


def judge(server, samples, kernels, took):
    children, files = server.children(), os.listdir(server.folder)
    if children or files:
        problem(f"left behind: processes {children}, files {files[:5]}")
    for source, word in [(FINE, "proved"), (RACY, "refuted")]:
        status, body = server.check(source)
        if status != 200 or word not in body:
            problem(f"not {word} at the end: {status} {body[:200]}")
    if server.ask("GET", "/health") != (200, "ok\n"):
        problem("not healthy at the end")
    # The greatest of each quarter: the first is the start, and a short run is all start.
    quarter = max(1, len(samples) // 4)
    quarters = [samples[at * quarter :][:quarter] or samples for at in range(4)]
    kilobytes = [max(one[1] for one in some) for some in quarters]
    descriptors = [statistics.median(one[2] for one in some) for some in quarters]
    is_long = took >= 120
    if is_long and kilobytes[3] > 1.1 * kilobytes[1]:
        problem(f"memory grew from {kilobytes[1]} to {kilobytes[3]} kB")
    if is_long and descriptors[3] > descriptors[1] + 40:
        problem(f"open files grew from {descriptors[1]} to {descriptors[3]}")
    if took >= 600 and kernels.left:
        problem(f"{len(kernels.left)} kernels were not reached")
    for (name, what), number in sorted(counts.items(), key=str):
        print(f"{name:14} {what!s:28} {number}")
    print(f"{took:.0f} s; kernels of ours {kernels.all - len(kernels.left)} of {kernels.all}")
    print("memory of the server, the most in each quarter:", ", ".join(f"{one / 1024:.1f} MB" for one in kilobytes))
    print(f"open files: {descriptors[1]:.0f}, at the end {descriptors[3]:.0f}; processes left: {len(children)}; files left: {len(files)}")
    print(f"health answered within {max(one[3] for one in samples):.2f} s, median {statistics.median(one[3] for one in samples):.3f} s")


if __name__ == "__main__":
    sys.exit(main())
