import { describe, expect, it } from "vitest";
import { openSandboxWith } from "../../src/workspace/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../src/workspace/sandbox/sandbox.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { holdsFiles, node, perl, SMALL, shell } from "./sandbox-machine.ts";

const MIB = 2 ** 20;

/** Numbers of system calls on x64, which Perl asks for by number. */
const CALLS = { memfd_create: 319, shmget: 29, shmat: 30, msgget: 68, msgsnd: 69, ftruncate: 77, mmap: 9 };

/**
 * Programs that take far more than their memory where no process shows it; each prints `took` when it has got all of it and
 * `refused` when the kernel does not let it.
 */
const ATTACKS: Readonly<Record<string, string>> = {
  "files in memory without a name": `for my $n (1 .. 10) { my $fd = syscall(${CALLS.memfd_create}, my $name = "m$n", 0);
    do { print "refused"; exit } if $fd < 0; open(my $f, ">&=", $fd); for (1 .. 60) { syswrite $f, "x" x 1048576 } push @keep, $f }`,
  "shared memory of System V": `for my $n (1 .. 30) { my $id = syscall(${CALLS.shmget}, 0, 16 << 20, 0600);
    do { print "refused"; exit } if $id < 0; shmwrite($id, "x" x (16 << 20), 0, 16 << 20) or die $! }`,
  "message queues": `for my $n (1 .. 30000) { my $id = syscall(${CALLS.msgget}, 0, 0600); do { print "refused"; exit } if $id < 0;
    for (1 .. 2) { msgsnd($id, pack("l! a*", 1, "x" x 8000), 2048) } }`,
  "buffers of unix sockets": `use Socket; for my $p (1 .. 20) { next if fork; my @keep; for (1 .. 2000) {
    socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) or last; for ($a, $b) { setsockopt($_, SOL_SOCKET, SO_SNDBUF, 1 << 22);
    my $f = ""; vec($f, fileno($_), 1) = 1; fcntl($_, 4, 2048); 1 while syswrite $_, "x" x 65536 } push @keep, $a, $b } sleep 60; exit }
    sleep 12;`,
  "buffers of connections": `use Socket; socket(my $l, AF_INET, SOCK_STREAM, 0); bind($l, sockaddr_in(0, INADDR_LOOPBACK)); listen($l, 500);
    my $to = getsockname($l); for (1 .. 1500) { socket(my $c, AF_INET, SOCK_STREAM, 0); setsockopt($c, SOL_SOCKET, SO_SNDBUF, 1 << 22);
    connect($c, $to) or die; accept(my $s, $l); setsockopt($s, SOL_SOCKET, SO_RCVBUF, 1 << 22); fcntl($c, 4, 2048);
    1 while syswrite $c, "x" x 65536; push @keep, $c, $s } sleep 3;`,
  pipes: `for (1 .. 20) { next if fork; my @keep; for (1 .. 3500) { pipe(my $r, my $w) or last; fcntl($w, 1031, 1 << 20); fcntl($w, 4, 2049);
    1 while syswrite $w, "x" x 65536; push @keep, $r, $w } sleep 60; exit } sleep 12;`,
  "tables of pages that nothing stands in": `for (1 .. 10) { next if fork; my $size = 200 << 30;
    my $at = syscall(${CALLS.mmap}, 0, $size, 1, 0x4022, -1, 0); die if $at == -1; syscall(28, $at, $size, 15);
    for (my $p = 0; $p < $size; $p += 2 << 20) { my $x = unpack("P1", pack("Q", $at + $p)) } sleep 60; exit } sleep 12;`,
};

/** Whatever the machine: the kernel holds the memory in control groups where it can be had, and it is counted where it cannot. */
const opened = {
  "as it is here": await openSandboxWith({}),
  "without control groups": await openSandboxWith({ groups: false }),
};

describeInSandbox("the memory of a sandbox (SEC-1)", () => {
  describe.each(Object.entries(opened))("%s", (name, opened) => {
    const sandbox = opened as Sandbox;
    // Without a group what other programs of this machine take meanwhile counts too: whoever is honest has room for it.
    const honest = name === "without control groups" ? { ...SMALL, memoryBytes: 2048 * MIB } : SMALL;

    it.skipIf(process.arch !== "x64").each(Object.entries(ATTACKS))("holds %s", async (_what, script) => {
      const result = await perl(sandbox, `$| = 1; ${script} print "took"`, { ...SMALL, timeoutMs: 60_000 });
      const said = result.stdout.toString();
      expect(said).not.toContain("took");
      if (!said.includes("refused")) expect(result).toMatchObject({ ok: false, limitHit: "memory" });
    });

    // Without a group each of them is made, and nothing is quicker than that: sandbox-memory.long.test.ts.
    if (name !== "without control groups") holdsFiles(sandbox);

    it("is not made safe from the kernel's choice when memory runs out", async () => {
      const script =
        "echo 0 > /proc/self/oom_score_adj; for p in /proc/[0-9]*; do echo 0 > $p/oom_score_adj; done; cat /proc/self/oom_score_adj";
      expect((await shell(sandbox, script)).stdout.toString()).toBe("1000\n");
    });

    it("keeps to its limit what the temporary folders hold, besides the memory", async () => {
      const script = "head -c 25000000 /dev/zero > /tmp/a; head -c 60000000 /dev/zero > /dev/shm/b; echo fits";
      expect((await shell(sandbox, script, honest)).stdout.toString()).toBe("fits\n");
    });

    it("does not count what was read from files", async () => {
      const script = "cat /usr/bin/* /usr/lib/*/*.so* 2>/dev/null | head -c 300000000 | wc -c";
      expect(await shell(sandbox, script, honest)).toMatchObject({ ok: true });
    });

    it("lets Node and its threads, and Git, work as before", async () => {
      const script = `import { Worker } from "node:worker_threads"; import { execSync } from "node:child_process";
        await Promise.all([1, 2].map(() => new Promise((done) => new Worker("1", { eval: true }).on("exit", done))));
        execSync("cd /tmp && git init -q r && cd r && touch a && git add a && git -c user.name=a -c user.email=a@a commit -qm a");
        console.log("works");`;
      expect((await node(sandbox, script, { memoryBytes: 2048 * MIB })).stdout.toString()).toBe("works\n");
    });
  });
});
