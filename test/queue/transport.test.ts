import { describe, expect, it } from "vitest";
import { createMemoryTransport } from "../../src/queue/transport.ts";

describe("the transport in memory", () => {
  it("tells every listener which key to look at, until it stops listening", () => {
    const transport = createMemoryTransport();
    const heard: string[] = [];
    const stop = transport.onWake((key) => void heard.push(`first ${key}`));
    transport.onWake((key) => void heard.push(`second ${key}`));
    transport.wake("a");
    stop();
    transport.wake("b");
    expect(heard).toEqual(["first a", "second a", "second b"]);
  });
});
