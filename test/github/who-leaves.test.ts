import { describe, expect, it } from "vitest";
import { type ConnectionFacts, whoLeaves } from "../../src/github/intake/who-leaves.ts";

const connection = (
  phase: ConnectionFacts["phase"],
  sinceMs: number,
  client: unknown = `${phase} ${sinceMs}`,
): ConnectionFacts => ({ phase, sinceMs, client });

describe("the connection that gives way to a new one (SEC-9)", () => {
  it("is the one that waited longest, before any that sends", () => {
    const all = [
      connection("reading", 0),
      connection("waiting", 9),
      connection("waiting", 3),
      connection("answering", 0),
    ];
    expect(whoLeaves(all)).toBe(all[2]);
  });

  it("is an unfinished body before a request that Forge works on", () => {
    const all = [connection("answering", 0), connection("reading", 9), connection("reading", 3)];
    expect(whoLeaves(all)).toBe(all[2]);
  });

  it("is one of the client with the most connections, of those that do the same", () => {
    const all = [connection("reading", 0), connection("reading", 7, "a"), connection("reading", 5, "a")];
    expect(whoLeaves(all)).toBe(all[2]);
  });

  it("is none of those that bring a complete delivery", () => {
    expect(whoLeaves([connection("kept", 0), connection("kept", 1)])).toBeUndefined();
    expect(whoLeaves([])).toBeUndefined();
  });
});
