import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { socketPath } from "../../src/workspace/sandbox/socket-path.ts";

it("OPS-3: the longest path of a socket that is taken can be listened at, and a longer one says what to do", async () => {
  const most = process.platform === "linux" ? 107 : 103;
  const base = mkdtempSync(join(tmpdir(), "s-"));
  const folder = join(base, "a".repeat(most - Buffer.byteLength(base) - "/".length - "/proxy".length));
  mkdirSync(folder);
  const path = socketPath(folder, "proxy");
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  expect(existsSync(path)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(() => socketPath(`${folder}a`, "proxy")).toThrow(
    new RegExp(`has ${most + 1} bytes.*Set TMPDIR to a folder with a shorter path`, "s"),
  );
  rmSync(base, { recursive: true });
});
