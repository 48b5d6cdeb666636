import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const PAGE = "docs/specification.md";
const OWN = "test/specification.test.ts";
const PLACES = ["src", "test", "docs", "simulator", "demo", "bench", "scripts", "examples", "bin", ".ci"];
const PAGES = ["README.md", "AGENTS.md", "SECURITY.md", "app.yml", ".env.example", "package.json", "vitest.config.ts"];

/** What looks like an id and is something else: standards, advisories, names in samples. */
const OTHERS = new Set(["UTF", "SHA", "GHSA", "CWE", "MAL", "GO", "CRC", "AES", "FNV", "SNS", "KEY", "CI"]);
const ID = /(?<![\w./-])([A-Z]{2,6})-(\d{1,2}[a-z]?)(?![\w-])/g;

function idsIn(text: string): string[] {
  return [...text.matchAll(ID)].filter(([, area]) => !OTHERS.has(area!)).map(([id]) => id);
}

interface Line {
  readonly id: string;
  readonly what: string;
  readonly state: string;
}

function linesOf(page: string): Line[] {
  const rows = page.matchAll(/^\| ([A-Z]+-\d+[a-z]?) \| (.+?) \| (.+?) \|$/gm);
  return [...rows].map(([, id, what, state]) => ({ id: id!, what: what!, state: state! }));
}

/** Texts of the project by path, without what was taken over from others. */
function texts(): Map<string, string> {
  const files = PLACES.filter((place) => existsSync(place)).flatMap((place) => {
    const names = readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => join(place, name));
    return names.filter((name) => /\.(?:ts|mjs|md)$/.test(name) && statSync(name).isFile());
  });
  return new Map(
    [...files, ...PAGES]
      .filter((file) => file !== PAGE && file !== OWN)
      .map((file) => [file, readFileSync(file, "utf8")]),
  );
}

const lines = linesOf(readFileSync(PAGE, "utf8"));
const known = new Set(lines.map(({ id }) => id));
const all = texts();

describe("the page of what Forge is meant to do", () => {
  it("has every id that code, tests and documents name", () => {
    const missing = [...all].flatMap(([file, text]) =>
      idsIn(text).flatMap((id) => (known.has(id) ? [] : [`${file}: ${id}`])),
    );
    expect([...new Set(missing)]).toEqual([]);
    expect(idsIn("GH-10b, LOOP-99: reads UTF-8 (SEC-1), not G-1 or F-7K2Q")).toEqual(["GH-10b", "LOOP-99", "SEC-1"]);
  });

  it("has every id that commits name", () => {
    let log = "";
    try {
      log = execFileSync("git", ["log", "--format=%B"], { encoding: "utf8", maxBuffer: 64 << 20 });
    } catch {
      // A copy without its history.
    }
    expect([...new Set(idsIn(log))].filter((id) => !known.has(id))).toEqual([]);
  });

  it("has each id once, says of each how far it is, and of nothing that it works that no test or benchmark names", () => {
    expect(lines.length).toBeGreaterThan(120);
    expect(known.size).toBe(lines.length);
    expect(lines.filter(({ state }) => !/^(?:works|partly: .|not yet)/.test(state))).toEqual([]);
    const tested = new Set([...all].flatMap(([file, text]) => (/^(?:test|bench)\//.test(file) ? idsIn(text) : [])));
    expect(lines.filter(({ id, state }) => state.startsWith("works") && !tested.has(id)).map(({ id }) => id)).toEqual(
      [],
    );
  });
});
