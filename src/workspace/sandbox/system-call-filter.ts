import { endianness } from "node:os";
import { SYSTEM_CALLS } from "./system-calls.ts";

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in `struct seccomp_data`. Of arguments only the lower half is looked at, as the kernel does for these calls. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;
const SECOND_ARGUMENT = 24;

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const failWith = (errno: number) => 0x00050000 + errno;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET: a namespace of one's own opens half the kernel to attack. */
const NEW_NAMESPACE_FLAGS = 0x7e020000;
/** Puts characters into a terminal as if they were typed; TIOCLINUX does the same by way of the clipboard. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Unix, IPv4, IPv6, netlink. Others reach past the network namespace (VSOCK, the hypervisor) or are rarely tried kernel code. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** x86_64 only: the x32 calls, which have other numbers for the same things. */
const X32_BIT = 0x40000000;

type Instruction = readonly [code: number, jumpIfTrue: number, jumpIfFalse: number, operand: number];

/**
 * A seccomp program (classic BPF, as bubblewrap takes it) that allows everything but what a build or a test never needs and attacks do.
 * Undefined on architectures whose table we do not have.
 * @param memoryIsHeld a control group counts memory that no process maps
 */
export function systemCallFilter(architecture: NodeJS.Architecture, memoryIsHeld: boolean): Buffer | undefined {
  const calls = SYSTEM_CALLS[architecture];
  if (calls === undefined || endianness() !== "LE") return undefined;
  return assemble([
    [LOAD_WORD, 0, 0, ARCHITECTURE],
    ...unless(JUMP_IF_EQUAL, calls.architecture, KILL_PROCESS),
    [LOAD_WORD, 0, 0, CALL_NUMBER],
    ...(architecture === "x64" ? when(JUMP_IF_AT_LEAST, X32_BIT, failWith(ENOSYS)) : []),
    ...(memoryIsHeld ? [] : calls.uncounted).flatMap((call) => when(JUMP_IF_EQUAL, call, failWith(ENOSYS))),
    ...calls.absent.flatMap((call) => when(JUMP_IF_EQUAL, call, failWith(ENOSYS))),
    ...calls.denied.flatMap((call) => when(JUMP_IF_EQUAL, call, failWith(EPERM))),
    ...forCall(calls.clone, [
      [LOAD_WORD, 0, 0, FIRST_ARGUMENT],
      ...when(JUMP_IF_ANY_BIT, NEW_NAMESPACE_FLAGS, failWith(EPERM)),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...forCall(calls.ioctl, [
      [LOAD_WORD, 0, 0, SECOND_ARGUMENT],
      ...[TIOCSTI, TIOCLINUX].flatMap((request) => when(JUMP_IF_EQUAL, request, failWith(EPERM))),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...forCall(calls.socket, [
      [LOAD_WORD, 0, 0, FIRST_ARGUMENT],
      ...SOCKET_FAMILIES.flatMap((family) => when(JUMP_IF_EQUAL, family, ALLOW)),
      [RETURN, 0, 0, failWith(EAFNOSUPPORT)],
    ]),
    [RETURN, 0, 0, ALLOW],
  ]);
}

function when(test: number, operand: number, verdict: number): Instruction[] {
  return [
    [test, 0, 1, operand],
    [RETURN, 0, 0, verdict],
  ];
}

function unless(test: number, operand: number, verdict: number): Instruction[] {
  return [
    [test, 1, 0, operand],
    [RETURN, 0, 0, verdict],
  ];
}

function forCall(call: number, instructions: readonly Instruction[]): Instruction[] {
  return [[JUMP_IF_EQUAL, 0, instructions.length, call], ...instructions];
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, jumpIfTrue, jumpIfFalse, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpIfTrue, index * 8 + 2);
    bytes.writeUInt8(jumpIfFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand, index * 8 + 4);
  }
  return bytes;
}
