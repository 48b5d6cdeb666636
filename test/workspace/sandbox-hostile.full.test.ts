import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { SYSTEM_CALLS } from "../../src/workspace/sandbox/system-calls.ts";
import { listProcesses } from "../list-processes.ts";
import { describeInSandbox } from "../needs/sandbox.ts";
import { LIMITS, node, perl, shell, temporaryFolder } from "./sandbox-machine.ts";

const MIB = 2 ** 20;

/** Stands in the arguments of what is started inside, to look for it from outside. */
const MARKER = `forge-survivor-${process.pid}`;

function survivors(): string[] {
  return listProcesses()
    .filter(({ words, state }) => words.includes(MARKER) && state !== "Z")
    .map(({ words }) => words);
}

describeInSandbox("SEC-1: what a hostile program sees of the machine", (sandbox) => {
  it("no file of the machine, by no name", async () => {
    const secret = join(temporaryFolder(), "secret");
    writeFileSync(secret, "secret");
    chmodSync(secret, 0o666);
    const tries = [secret, `/proc/1/root${secret}`, `/proc/self/root${secret}`, `/proc/1/cwd${secret}`, "/etc/shadow"];
    for (const path of [...tries, homedir(), "/root", "/home", "/var", "/run", "/sys", "/usr/local/etc/npmrc"]) {
      const result = await shell(sandbox, `cat ${path} || ls ${path}`);
      expect([path, result.stdout.toString(), result.ok]).toEqual([path, "", false]);
    }
  });

  it("no account, and no name of the machine", async () => {
    const result = await shell(sandbox, "cat /etc/passwd /etc/group; hostname; id -un");
    expect(result.stdout.toString()).toBe("box:x:65534:65534::/tmp:/bin/sh\nbox:x:65534:\nbox\nbox\n");
  });

  it("nothing of Forge's environment, not in any process", async () => {
    process.env.FORGE_TEST_CANARY = "canary-of-the-worker";
    try {
      const result = await shell(sandbox, "env; cat /proc/*/environ | tr '\\0' '\\n'");
      const names = result.stdout
        .toString()
        .trim()
        .split("\n")
        .map((line) => line.split("=")[0]);
      expect([...new Set(names)].sort()).toEqual(
        ["HOME", "LANG", "PATH", "PWD", "TMPDIR", "_"].filter((n) => names.includes(n)),
      );
      const first = await shell(sandbox, "cat /proc/1/environ");
      expect(["", "PWD=/\0"]).toContain(first.stdout.toString());
    } finally {
      delete process.env.FORGE_TEST_CANARY;
    }
  });

  it("no process but its own, and none of ours to send signals to", async () => {
    const result = await shell(
      sandbox,
      `ls /proc | grep -E '^[0-9]+$' | wc -l; kill -0 ${process.pid} && echo ours; true`,
    );
    expect(Number(result.stdout.toString())).toBeLessThan(8);
  });

  it("no descriptor that somebody left open", async () => {
    const result = await shell(sandbox, "ls /proc/self/fd");
    expect(result.stdout.toString()).toBe("0\n1\n2\n3\n");
  });

  it("no device beyond the harmless ones, no mounts to make", async () => {
    const result = await shell(sandbox, "ls /dev; mknod /tmp/disk b 8 0; mount -t tmpfs none /tmp");
    expect(result.stdout.toString().trim().split("\n")).toEqual([
      "core",
      "fd",
      "full",
      "null",
      "ptmx",
      "pts",
      "random",
      "shm",
      "stderr",
      "stdin",
      "stdout",
      "tty",
      "urandom",
      "zero",
    ]);
    expect(result.ok).toBe(false);
  });
});

describeInSandbox("SEC-1: what a hostile program reaches over the network", (sandbox) => {
  it("no TCP port of the machine, and no other host", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    let connections = 0;
    server.on("connection", () => (connections += 1));
    const script = `import { connect } from "node:net";
      for (const [host, port] of [["127.0.0.1", ${port}], ["192.0.2.1", 80], ["2001:db8::1", 80]])
        await new Promise((done) => connect({ host, port }).on("connect", () => done(console.log("in", host)))
          .on("error", (error) => done(console.log(error.code))));`;
    const result = await node(sandbox, script);
    server.close();
    expect(result.stdout.toString().trim().split("\n")).toEqual(["ECONNREFUSED", "ENETUNREACH", "ENETUNREACH"]);
    expect(connections).toBe(0);
  });

  it("no UDP port of the machine, and no name server", async () => {
    const server = createSocket("udp4");
    server.bind(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address();
    const received = once(server, "message");
    const script = `import { createSocket } from "node:dgram"; import { lookup } from "node:dns/promises";
      const socket = createSocket("udp4");
      await new Promise((done) => socket.send("from inside", ${port}, "127.0.0.1", done)); socket.close();
      await lookup("example.com").catch((error) => console.log(error.code));`;
    const result = await node(sandbox, script);
    server.send("from outside", port, "127.0.0.1");
    const [first] = await received;
    server.close();
    expect(String(first)).toBe("from outside");
    expect(result.stdout.toString()).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)\n$/);
  });

  it("no unix socket of the machine, named or abstract", async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    const servers = [join(folder, "socket"), `\0${MARKER}`].map((path) =>
      createServer().listen({ path, writableAll: !path.startsWith("\0") }),
    );
    await Promise.all(servers.map((server) => once(server, "listening")));
    const script = `import { connect } from "node:net";
      for (const path of [${JSON.stringify(join(folder, "socket"))}, "\\0${MARKER}", "/run/docker.sock", "/run/dbus/system_bus_socket"])
        await new Promise((done) => connect({ path }).on("connect", () => done(console.log("in", path)))
          .on("error", (error) => done(console.log(error.code))));`;
    const result = await node(sandbox, script);
    for (const server of servers) server.close();
    expect(result.stdout.toString().trim().split("\n")).toEqual(["ENOENT", "ECONNREFUSED", "ENOENT", "ENOENT"]);
  });

  it("no kind of socket that would lead past the network namespace", async () => {
    const script = 'for (17, 38, 40) { print socket(my $s, $_, 3, 0) ? "in\\n" : ($! + 0) . "\\n" }';
    expect((await perl(sandbox, script)).stdout.toString()).toBe("97\n97\n97\n");
  });
});

describeInSandbox("SEC-1: what a hostile program can change", (sandbox) => {
  it("nothing outside the writable folder", async () => {
    const writable = temporaryFolder();
    const outside = join(temporaryFolder(), "file");
    writeFileSync(outside, "ours");
    chmodSync(outside, 0o666);
    symlinkSync(outside, join(writable, "link"));
    symlinkSync(dirname(outside), join(writable, "folder"));
    for (const place of [outside, "link", "folder/file", "../file"]) {
      const result = await shell(sandbox, `echo theirs > ${place}`, { writable });
      expect([place, result.ok]).toEqual([place, false]);
    }
    expect(readFileSync(outside, "utf8")).toBe("ours");
  });

  // Only asked, never tried: a broken sandbox must not cost the machine of whoever runs the tests.
  it("nothing that belongs to the system", async () => {
    const places = ["/", "/usr", "/usr/bin", "/bin/sh", "/etc", "/etc/passwd", "/dev", "/opt/forge/bin/node"];
    for (const place of [...places, "/proc/sys/kernel/core_pattern"]) {
      const result = await shell(sandbox, `test -e ${place} && test ! -w ${place}`);
      expect([place, result.ok]).toEqual([place, true]);
    }
  });

  it("no owner of what its links point to", async () => {
    const writable = temporaryFolder();
    const outside = join(temporaryFolder(), "file");
    writeFileSync(outside, "ours");
    const before = statSync(outside);
    await shell(sandbox, `ln -s ${outside} link; ln -s ${join(outside, "..")} folder`, { writable });
    expect(await shell(sandbox, "true", { writable })).toMatchObject({ ok: true });
    expect(statSync(outside)).toMatchObject({ uid: before.uid, gid: before.gid, ctimeMs: before.ctimeMs });
  });

  it("nothing in the place of .git that outlives the run, so that no hook and no configuration is planted", async () => {
    const deep = `mkdir .git && cd .git && for i in $(seq 60); do mkdir ${"d".repeat(200)}; cd ${"d".repeat(200)}; done`;
    const attempts = [
      "git init -q && git config core.fsmonitor evil && echo evil > .git/hooks/pre-commit",
      "echo 'gitdir: /tmp' > .git",
      "ln -s /tmp .git",
      "mkfifo .git",
      "mkdir -p .git/closed/in && chmod 000 .git/closed .git && chmod 555 .",
      "mkdir .git && chmod 000 .",
      deep,
    ];
    for (const attempt of attempts) {
      const writable = temporaryFolder();
      await shell(sandbox, attempt, { writable });
      expect([attempt, readdirSync(writable)]).toEqual([attempt, []]);
      // And the folder is as good as before.
      expect(await shell(sandbox, "test ! -e .git && echo x > file", { writable })).toMatchObject({ ok: true });
    }
  });
});

describeInSandbox("SEC-1: what a hostile program asks of the kernel", (sandbox) => {
  const calls = SYSTEM_CALLS[process.arch]?.denied ?? [];

  it("is refused tracing, mounting, keys, namespaces and the rest of the list", async () => {
    const script = `for (${calls.join(",")}) { syscall($_, 0, 0, 0, 0, 0); print "$_ passed\\n" if $! != 1 }`;
    const result = await perl(sandbox, script);
    expect([result.code, result.stdout.toString()]).toEqual([0, ""]);
    expect(calls.length).toBeGreaterThan(40);
  });

  it("gets no user namespace, in which it would be root", async () => {
    for (const attempt of ["unshare -r id", "unshare -n true", "nsenter -t 1 -a true", "bwrap --ro-bind / / true"]) {
      expect([attempt, (await shell(sandbox, attempt)).ok]).toEqual([attempt, false]);
    }
  });

  it("gains nothing from programs that run as root", async () => {
    const writable = temporaryFolder();
    const script = "cp /bin/id own && chmod 6755 own && ./own; grep -E '^(NoNewPrivs|CapEff|CapBnd)' /proc/self/status";
    expect((await shell(sandbox, script, { writable })).stdout.toString()).toMatch(
      /^uid=65534\(box\) gid=65534\(box\) groups=65534\(box\)\nCapEff:\t0{16}\nCapBnd:\t0{16}\nNoNewPrivs:\t1\n$/,
    );
    expect(await shell(sandbox, "su -c id || newgrp root")).toMatchObject({ ok: false });
  });

  it("has no terminal, and cannot type into one", async () => {
    const script =
      'open(my $t, "<", "/dev/tty") and print "terminal\\n"; my $x = "x"; print ioctl(STDIN, 0x5412, $x) ? "typed" : $! + 0';
    expect((await perl(sandbox, script)).stdout.toString()).toBe("1");
  });

  it("has a session of its own, apart from the terminal of whoever started Forge", async () => {
    // A session that was begun outside is number 0 inside.
    const result = await shell(sandbox, "cut -d ' ' -f 6 /proc/self/stat");
    expect(Number(result.stdout.toString())).toBeGreaterThan(0);
  });

  it("is held by the kernel as well, should the watch be late", async () => {
    const result = await shell(sandbox, "cat /proc/self/limits", { cpuSeconds: 7, maxProcesses: 40 });
    const shown = result.stdout.toString().replaceAll(/ +/g, " ");
    expect(shown).toContain("Max cpu time 7 8");
    expect(shown).toContain("Max processes 41 41");
    expect(shown).toContain(`Max file size ${LIMITS.maxFileBytes} ${LIMITS.maxFileBytes}`);
    expect(shown).toContain(`Max data size ${2 * LIMITS.memoryBytes + 512 * MIB} `);
    expect(shown).toContain("Max core file size 0 0");
  });

  it("cannot raise its limits again", async () => {
    const script = "prlimit --pid $$ --nproc=unlimited || ulimit -n 100000 || prlimit --pid 1 --core=unlimited";
    expect(await shell(sandbox, script)).toMatchObject({ ok: false });
  });
});

describeInSandbox("SEC-1: what a hostile program uses up", (sandbox) => {
  it("time: nothing survives, not even grandchildren that left the group and ignore all signals", async () => {
    const child = `$SIG{$_} = "IGNORE" for qw(TERM INT HUP); $0 = "${MARKER}"; setpgrp; fork; fork; sleep 100`;
    const script = `setsid perl -e '${child}' & nohup perl -e '${child}' & trap "" TERM; echo started; sleep 100`;
    const result = await shell(sandbox, script, { timeoutMs: 5_000 });
    expect(survivors()).toEqual([]);
    expect(result).toMatchObject({ ok: false, timedOut: true, limitHit: "time" });
    expect(result.stdout.toString()).toBe("started\n");
  });

  it("leaves nothing behind that it started in the background", async () => {
    const child = `$0 = "${MARKER}"; sleep 100`;
    const result = await shell(sandbox, `setsid perl -e '${child}' > /dev/null 2>&1 & echo done`);
    expect(survivors()).toEqual([]);
    expect(result).toMatchObject({ ok: true });
  });

  it("processor time", async () => {
    const result = await perl(sandbox, "1 while 1", { cpuSeconds: 1 });
    expect(result).toMatchObject({ ok: false, limitHit: "time", timedOut: false });
  });

  it("processes: a fork bomb is held and stopped", async () => {
    const result = await perl(sandbox, `$0 = "${MARKER}"; while (1) { fork }`, { maxProcesses: 40 });
    expect(survivors()).toEqual([]);
    expect(result).toMatchObject({ ok: false, aborted: false, limitHit: "processes" });
  });

  it("processes: each sandbox is counted for itself", async () => {
    const fork = 'if (!defined($p = fork)) { print "refused" } elsif (!$p) { sleep 100 }';
    const script = `for (1..30) { ${fork} } select(undef, undef, undef, 0.5); print "done"`;
    const both = await Promise.all([
      perl(sandbox, script, { maxProcesses: 40 }),
      perl(sandbox, script, { maxProcesses: 40 }),
    ]);
    expect(both.map(({ stdout }) => stdout.toString())).toEqual(["done", "done"]);
  });

  it("memory, in one process", async () => {
    const result = await perl(sandbox, 'my $x = ""; $x .= "x" x 1_000_000 while 1', { memoryBytes: 128 * MIB });
    expect(result).toMatchObject({ ok: false, aborted: false, limitHit: "memory" });
  });

  it("memory, in many processes that are each below the limit", async () => {
    const script = 'for (1..9) { last if !fork } my $x = "x" x 40_000_000; sleep 100';
    const result = await perl(sandbox, script, { memoryBytes: 200 * MIB });
    expect(result).toMatchObject({ ok: false, limitHit: "memory" });
  });

  it("output: a flood is cut off, on standard error dropped", async () => {
    const flood = await shell(sandbox, "yes", { maxOutputBytes: 1_000 });
    expect(flood).toMatchObject({ ok: false, truncated: true, limitHit: "output" });
    expect(flood.stdout).toHaveLength(1_000);
    const noise = await shell(sandbox, "head -c 5000000 /dev/zero >&2; echo done");
    expect(noise).toMatchObject({ ok: true });
    expect(noise.stderr.length).toBeLessThanOrEqual(65_536);
  });

  it("disk: no file of a gigabyte", async () => {
    const writable = temporaryFolder();
    const result = await shell(sandbox, "exec dd if=/dev/zero of=big bs=1M count=1024", { writable });
    expect(result).toMatchObject({ ok: false, limitHit: "disk" });
    expect(statSync(join(writable, "big")).size).toBeLessThanOrEqual(LIMITS.maxFileBytes);
  });

  it("disk: no thousand files that make a gigabyte together", async () => {
    const writable = temporaryFolder();
    const script = "for i in $(seq 1000); do head -c 8000000 /dev/zero > $i; done";
    const result = await shell(sandbox, script, { writable, maxDiskBytes: 64 * MIB });
    expect(result).toMatchObject({ ok: false, limitHit: "disk" });
    expect(readdirSync(writable).length).toBeLessThan(900);
  });

  it("memory by way of files: the temporary folders are small, the others closed", async () => {
    const script = `for place in /tmp /dev/shm /dev /etc / /usr/local/etc /opt; do
      dd if=/dev/zero of=$place/fill bs=1M count=12 2>/dev/null && echo $place; done; true`;
    const result = await shell(sandbox, script, { temporaryBytes: 8 * MIB });
    expect(result.stdout.toString()).toBe("/dev/shm\n");
  });
});

describe("the look-out for survivors", () => {
  it("sees what does survive", async () => {
    const child = spawn("perl", ["-e", `$0 = "${MARKER}"; $| = 1; print "up"; sleep 100`]);
    await once(child.stdout, "data");
    expect(survivors()).toHaveLength(1);
    child.kill("SIGKILL");
    await once(child, "close");
  });
});
