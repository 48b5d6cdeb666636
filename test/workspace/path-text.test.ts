import { describe, expect, it } from "vitest";
import { pathFromBytes, pathToBytes } from "../../src/workspace/path-text.ts";
import fc from "../properties.ts";

describe("paths as text", () => {
  it("leaves valid UTF-8 as it is", () => {
    expect(pathFromBytes(Buffer.from("src/größe\n.ts"))).toBe("src/größe\n.ts");
  });

  it("writes other bytes in octal, in quotes", () => {
    expect(pathFromBytes(Buffer.from([0x63, 0x61, 0x66, 0xe9]))).toBe('"caf\\351"');
    expect(pathFromBytes(Buffer.from('"caf\\351"'))).toBe('"\\042caf\\134351\\042"');
  });

  it("loses nothing, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (array) => {
        const bytes = Buffer.from(array);
        expect(pathToBytes(pathFromBytes(bytes))).toEqual(bytes);
      }),
    );
  });
});
