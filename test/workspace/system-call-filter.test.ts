import { describe, expect, it } from "vitest";
import { systemCallFilter } from "../../src/workspace/sandbox/system-call-filter.ts";

interface Call {
  readonly architecture?: number;
  readonly number: number;
  readonly arguments?: readonly [number, number];
}

const ALLOWED = 0x7fff0000;
const KILLED = 0x80000000;
const failure = (errno: number) => 0x00050000 + errno;

/** What the kernel would do: the few instructions of classic BPF that the filter uses. */
function verdict(filter: Buffer, ownArchitecture: number, call: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture ?? ownArchitecture, 4);
  for (const [index, value] of (call.arguments ?? [0, 0]).entries()) data.writeUInt32LE(value, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const operand = filter.readUInt32LE(at + 4);
    const jump = (taken: boolean) => 8 * filter.readUInt8(at + (taken ? 2 : 3));
    const code = filter.readUInt16LE(at);
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) at += jump(accumulator === operand);
    else if (code === 0x35) at += jump(accumulator >= operand);
    else if (code === 0x45) at += jump((accumulator & operand) !== 0);
    else if (code === 0x06) return operand;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("the program ran off its end");
}

const MACHINES = [
  { name: "x64", audit: 0xc000003e, clone: 56, ioctl: 16, socket: 41, ptrace: 101, mount: 165, keyctl: 250, read: 0 },
  {
    name: "arm64",
    audit: 0xc00000b7,
    clone: 220,
    ioctl: 29,
    socket: 198,
    ptrace: 117,
    mount: 40,
    keyctl: 219,
    read: 63,
  },
] as const;

describe.each(MACHINES)("the filter of system calls on $name", (machine) => {
  const filter = systemCallFilter(machine.name, false) ?? Buffer.alloc(0);
  const answer = (call: Call) => verdict(filter, machine.audit, call);

  it("lets ordinary calls pass", () => {
    expect(answer({ number: machine.read })).toBe(ALLOWED);
    expect(answer({ number: machine.clone, arguments: [0x3d0f00, 0] })).toBe(ALLOWED);
    expect(answer({ number: machine.ioctl, arguments: [0, 0x5401] })).toBe(ALLOWED);
  });

  it("SEC-1: refuses tracing, mounting, keys and namespaces", () => {
    for (const number of [machine.ptrace, machine.mount, machine.keyctl, 442]) {
      expect(answer({ number })).toBe(failure(1));
    }
    for (const flag of [0x10000000, 0x40000000, 0x20000, 0x2000000]) {
      expect(answer({ number: machine.clone, arguments: [flag + 17, 0] })).toBe(failure(1));
    }
  });

  it("SEC-1: has no clone3 and no io_uring, which no filter can look into", () => {
    for (const number of [435, 425, 426, 427]) expect(answer({ number })).toBe(failure(38));
  });

  it("SEC-1: refuses to type into a terminal", () => {
    for (const request of [0x5412, 0x541c]) {
      expect(answer({ number: machine.ioctl, arguments: [0, request] })).toBe(failure(1));
    }
  });

  it("SEC-1: knows unix, internet and netlink sockets only", () => {
    const families = [1, 2, 10, 16, 17, 38, 40].map((family) =>
      answer({ number: machine.socket, arguments: [family, 1] }),
    );
    expect(families).toEqual([ALLOWED, ALLOWED, ALLOWED, ALLOWED, failure(97), failure(97), failure(97)]);
  });

  it("SEC-1: ends a process that calls by another architecture's table", () => {
    expect(answer({ architecture: 0x40000003, number: 11 })).toBe(KILLED);
  });
});

it("SEC-1: refuses the second table of x64, whose numbers are others", () => {
  expect(verdict(systemCallFilter("x64", false) ?? Buffer.alloc(0), 0xc000003e, { number: 0x40000000 + 101 })).toBe(
    failure(38),
  );
});

it("has no filter for a processor whose table is not known", () => {
  expect(systemCallFilter("s390x", false)).toBeUndefined();
});
