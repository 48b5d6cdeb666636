import { createHash } from "node:crypto";
import type { StackFrame } from "../../domain/production-feedback.ts";

export function shortHash(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex").slice(0, 32);
}

/**
 * Names an error by its type and the functions of the service that were called, without lines, addresses and numbers: the same after code
 * around it moved. Without such functions by its type and what it says.
 */
export function fingerprintOf(type: string, message: string, frames: readonly StackFrame[]): string {
  const own = frames.filter(({ inApp }) => inApp);
  const called = (own.length > 0 ? own : frames).flatMap(({ function: name, file }) => {
    const place = name ?? file?.split(/[\\/]/).at(-1);
    return place === undefined ? [] : [withoutNumbers(place)];
  });
  const rest = called.length > 0 ? called.slice(0, 20) : [withoutNumbers(message).slice(0, 200)];
  return shortHash("stack", withoutNumbers(type), ...rest);
}

function withoutNumbers(text: string): string {
  return text.replace(/0x[0-9a-f]+|[0-9a-f]{8,}|\d+/gi, "N");
}
