/** Smaller ones are left to the garbage collector, which is quick with them. */
export const LARGE_BYTES = 1024 * 1024;

/** Lends out the buffers into which large bodies are read. */
export interface BodyMemory {
  /** A buffer of exactly so many bytes with whatever was in it before. */
  take(bytes: number): Buffer;
  /** Takes back a buffer that nothing uses from now on. */
  giveBack(buffer: Buffer): void;
}

/**
 * Keeps the memory of the largest body so far for the next one: large buffers wait long for the garbage collector, and six deliveries of
 * 25 MB then take 150.
 */
export function createBodyMemory(): BodyMemory {
  let kept: ArrayBufferLike | undefined;
  return {
    take: (bytes) => {
      if (bytes < LARGE_BYTES || kept === undefined || kept.byteLength < bytes) return Buffer.allocUnsafeSlow(bytes);
      const memory = kept;
      kept = undefined;
      return Buffer.from(memory, 0, bytes);
    },
    giveBack: ({ buffer }) => {
      if (buffer.byteLength >= Math.max(LARGE_BYTES, kept?.byteLength ?? 0)) kept = buffer;
    },
  };
}
