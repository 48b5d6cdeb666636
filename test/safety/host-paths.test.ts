import { expect, it } from "vitest";
import { createRedactor, hideHostPaths } from "../../src/safety/redact.ts";

const hide = hideHostPaths(createRedactor(["correct-horse"]), [
  "/var/lib/forge",
  "/data",
  "/data/scratch",
  "/tmp/forge-",
]);
const HIDDEN = "[a path of Forge's machine]";

it.each([
  ["ENOENT: no such file, open '/var/lib/forge/scratch/h+1/a b'", `ENOENT: no such file, open '${HIDDEN} b'`],
  ["fatal: cannot lock /data/scratch/x/own.git: full", `fatal: cannot lock ${HIDDEN} full`],
  ["see /tmp/forge-sandbox-Ab12, then /tmp/other", `see ${HIDDEN}, then /tmp/other`],
  ["file:///var/lib/forge/x.mjs:3", `file://${HIDDEN}`],
  ["volumes: [/data, /data/db] and /var/lib/postgres", "volumes: [/data, /data/db] and /var/lib/postgres"],
  ["correct-horse", "[redacted]"],
])("no path of Forge's machine is shown: %s", (text, shown) => {
  expect(hide(text)).toBe(shown);
  expect(hide(shown)).toBe(shown);
});
