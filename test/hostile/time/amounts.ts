import { randomUUID } from "node:crypto";
import { stringify } from "yaml";
import { knock } from "../door/knock.ts";
import { all, answered, reviewed } from "../program/judge.ts";
import type { Files, Payload } from "../program/payload.ts";
import { openPull, openPullAndSay, type PullOptions } from "../program/strikes.ts";

const CLEAN = { "src/a.ts": "export const a = 1;\n" };

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at)}\n`).join("");
}

function manyFiles(count: number, file: (at: number) => readonly [path: string, text: string]): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => file(at)));
}

/** A change of so much of something. */
function change(
  name: string,
  does: string,
  files: () => Files,
  more: { readonly base?: Files; readonly options?: PullOptions } = {},
): Payload {
  return {
    ...{ name, does, faults: reviewed },
    ...(more.base ? { base: more.base } : {}),
    strike: openPull(files, more.options),
  };
}

/** Digits that differ from each other and look like chance. */
function chance(at: number, length: number): string {
  let state = (at + 1) * 2_654_435_761;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[(state >>> 16) % 62];
  }).join("");
}

const function_ = (at: number) => `export function f${at}(a: number): number {\n  return a + ${at};\n}`;

function packageLock(packages: number, version: string): string {
  const entries = Array.from({ length: packages }, (_, at) => [
    `node_modules/package-${at}`,
    {
      version,
      resolved: `https://registry.npmjs.org/package-${at}/-/package-${at}-${version}.tgz`,
      integrity: `sha512-${"a".repeat(86)}==`,
    },
  ]);
  return JSON.stringify({
    name: "a",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: { "": { name: "a" }, ...Object.fromEntries(entries) },
  });
}

/** Lock files of as many packages as fit, each as short as its program would print it. */
const SHORT_LOCKS: Readonly<Record<string, (packages: number, version: string) => string>> = {
  "package-lock.json": (packages, version) =>
    JSON.stringify({
      lockfileVersion: 3,
      packages: Object.fromEntries(Array.from({ length: packages }, (_, at) => [`node_modules/p${at}`, { version }])),
    }),
  "pnpm-lock.yaml": (packages, version) =>
    `lockfileVersion: '9.0'\n\npackages:\n\n${lines(packages, (at) => `  p${at}@${version}:\n    dev: true\n`)}`,
  "Cargo.lock": (packages, version) =>
    lines(packages, (at) => `[[package]]\nname = "p${at}"\nversion = "${version}"\nsource = "registry+a"\n`),
};

const CHANGES: readonly Payload[] = [
  change("20,000 suppressions", "suppresses a rule on 20,000 lines", () => ({
    "src/a.ts": lines(20_000, () => `f(); // eslint-disable-line no-unused-vars`),
  })),
  change("24 files of 1 MB", "adds 24 files of nearly a megabyte", () =>
    manyFiles(24, (at) => [`src/f${at}.ts`, lines(24_000, (line) => `export const v${at}_${line} = ${line} + 1;`)]),
  ),
  change("10,000 patterns", "writes 10,000 regular expressions", () => ({
    "src/a.ts": lines(10_000, (at) => `export const r${at} = /^(a${at}+)+[b-z]{1,${(at % 50) + 1}}(?:c|d)*$/u;`),
  })),
  change(
    "60,000 packages",
    "locks 60,000 packages anew",
    () => ({ "package-lock.json": packageLock(60_000, "1.0.1") }),
    { base: { "package-lock.json": packageLock(60_000, "1.0.0") } },
  ),
  ...Object.entries(SHORT_LOCKS).map(([path, text]) =>
    change(
      `20,000 short packages of ${path}`,
      `locks 20,000 packages anew in few words each, in ${path}`,
      () => ({ [path]: text(20_000, "1.0.1") }),
      { base: { [path]: text(20_000, "1.0.0") } },
    ),
  ),
  change("20,000 packages of yarn", "locks 20,000 packages", () => ({
    "package.json": '{"name":"a","dependencies":{"a":"1"}}',
    "yarn.lock": `# yarn lockfile v1\n${lines(20_000, (at) => `\np${at}@^1.0.0:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/p${at}.tgz"`)}`,
  })),
  change(
    "20,000 hunks",
    "changes every other line",
    () => ({ "src/a.ts": lines(40_000, (at) => (at % 2 ? "x();" : `y(${at});`)) }),
    {
      base: { "src/a.ts": lines(40_000, () => "x();") },
    },
  ),
  change("3,000 files", "adds 3,000 files", () =>
    manyFiles(3_000, (at) => [`src/d${at % 50}/f${at}.ts`, `${function_(at)}\n`]),
  ),
  change("490,000 lines", "adds half a million lines of a letter", () => ({ "src/a.ts": "a\n".repeat(490_000) })),
  change("10,000 findings", "makes 10,000 mistakes", () => ({
    "src/a.ts": lines(
      10_000,
      (at) => `export function f${at}() { const a = ${at}; a = 2; if (a = 3) { debugger; } return eval("a"); }`,
    ),
  })),
  change("17,000 secrets", "adds 17,000 secrets", () => ({
    "src/a.ts": lines(17_000, (at) => `const t${at} = "ghp_${chance(at, 36)}";`),
  })),
  change("named values", "gives 15,000 values the name of a service", () => ({
    "src/a.ts": lines(15_000, (at) => `datadog_key = "${chance(at, 32)}" algolia heroku`),
  })),
  change("28,000 disguises", "turns the direction of 28,000 lines", () => ({
    "src/a.ts": lines(28_000, (at) => `const a${at} = "\u202e x \u2066"; // \u200b`),
  })),
  change("40,000 look-alikes", "calls 40,000 variables by mixed letters", () => ({
    "src/a.ts": lines(40_000, (at) => `const s\u0441ope${at} = 1;`),
  })),
  change("look-alike names", "calls 2,000 files by names like those of 2,000 others", () => ({
    ...manyFiles(1_000, (at) => [`src/scope${at}.ts`, "export {};\n"]),
    ...manyFiles(1_000, (at) => [`src/s\u0441ope${at}.ts`, "export {};\n"]),
  })),
  change(
    "18,000 tests away",
    "takes 18,000 tests away",
    () => ({ "test/a.test.ts": "import { it } from 'vitest';\n" }),
    {
      base: { "test/a.test.ts": lines(18_000, (at) => `it("works ${at}", () => { expect(f(${at})).toBe(1); });`) },
    },
  ),
  change(
    "3,000 renamed",
    "renames 3,000 files",
    () => ({
      ...manyFiles(3_000, (at) => [`old/f${at}.ts`, null as unknown as string]),
      ...manyFiles(3_000, (at) => [`new/f${at}.ts`, `${function_(at)}\n`]),
    }),
    { base: manyFiles(3_000, (at) => [`old/f${at}.ts`, `${function_(at)}\n`]) },
  ),
  change("10,000 steps", "has a workflow of 10,000 steps", () => ({
    ".github/workflows/a.yml": `on: pull_request_target\njobs:\n  a:\n    runs-on: x\n    steps:\n${lines(10_000, (at) => `      - run: echo \${{ github.event.pull_request.title }} ${at}`)}`,
  })),
  change("a line of 1 MB", "writes everything on one line", () => ({
    "src/a.ts": `export const a = [${"1234567, ".repeat(108_000)}1];\n`,
  })),
  change("1 MB of Markdown", "writes a manual of a megabyte", () => ({
    "README.md": "[a](b) `c` <!-- d --> @e #1\n".repeat(33_000),
  })),
  change("1 MB of URLs", "writes a megabyte of addresses with passwords in doubt", () => ({
    "src/a.ts": "// postgres://user:password@host/?password=secret&token=abc\n".repeat(15_000),
  })),
  change("26,000 keys", "begins 26,000 private keys", () => ({
    "src/a.pem": "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n".repeat(26_000),
  })),
  change("a deep tree", "calls itself 20,000 levels down", () => ({
    "src/a.ts": `export const a = ${"f(".repeat(20_000)}1${")".repeat(20_000)};\n`,
    "src/b.ts": `export const b = ${"1 + ".repeat(100_000)}1;\n`,
  })),
  change("14,000 functions", "adds 14,000 functions that are alike", () => ({ "src/a.ts": lines(14_000, function_) })),
  change("20,000 imports", "imports 20,000 files", () => ({
    "src/a.ts": lines(20_000, (at) => `import { a${at} } from "./d${at % 9}/f${at}.ts";`),
  })),
  change(
    "a configuration of 2 MB",
    "configures 20,000 paths",
    () => ({ ...CLEAN, ".github/forge.yml": stringify({ review: { paths: { exclude: ["b/**"] } } }) }),
    {
      base: {
        ".github/forge.yml": stringify({
          review: {
            paths: { exclude: Array.from({ length: 20_000 }, (_, at) => `gen/${chance(at, 60)}/**/*.{js,ts}`) },
            path_weights: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`lib/${chance(at, 40)}/*`, 5])),
          },
        }),
      },
    },
  ),
  change(
    "2,000 files against 5,000 globs",
    "has 5,000 globs asked about 2,000 files",
    () => manyFiles(2_000, (at) => [`src/${chance(at, 40)}.ts`, "export {};\n"]),
    {
      base: {
        ".github/forge.yml": stringify({
          review: { paths: { exclude: Array.from({ length: 5_000 }, (_, at) => `**/*${chance(at, 10)}*/**/*x*y*z*`) } },
        }),
      },
    },
  ),
  change("a message of 2 MB", "says 2 MB in its commit message", () => CLEAN, {
    options: { message: `${chance(1, 100)} token=${chance(2, 40)} `.repeat(12_000), body: "@ana ".repeat(13_000) },
  }),
];

const LONGEST_COMMENT = 65_000;
const said = (part: string) => part.repeat(Math.floor(LONGEST_COMMENT / part.length));

function saying(name: string, does: string, ...comments: readonly string[]): Payload {
  return { name, does, strike: openPullAndSay(openPull(CLEAN), ...comments), faults: answered };
}

const COMMENTS: readonly Payload[] = [
  saying("10,000 mentions", "mentions 10,000 people", `/forge explain ${said("@a ")}`),
  saying("a comment of commands", "gives 5,000 commands at once", said("/forge status\n")),
  saying("a comment of quotations", "quotes 30,000 times", `${said("> ")}\n/forge status`),
  saying("a comment of markers", "opens 16,000 comments within a comment", `${said("<!--")}\n/forge status`),
];

/** A delivery that GitHub signed, of what it never sends. */
function delivered(name: string, does: string, event: string, body: (repository: string) => string): Payload {
  return {
    ...{ name, does },
    strike: async (ground) => {
      const number = await openPull(CLEAN)(ground);
      await knock(ground.world, { event, guid: randomUUID(), body: body(ground.repository) });
      return number;
    },
    faults: all(reviewed, answered),
  };
}

const head = (repository: string) => {
  const [login, name] = repository.split("/");
  return `"action":"created","installation":{"id":1},"sender":{"login":"ana","id":1,"type":"User"},"repository":{"id":1,"name":"${name}","owner":{"login":"${login}"}}`;
};

const DELIVERIES: readonly Payload[] = [
  delivered(
    "a million keys",
    "is told of a comment with a million keys",
    "issue_comment",
    (repository) =>
      `{${head(repository)},"issue":{"number":1,${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":0`).join(",")}}}`,
  ),
  delivered(
    "eight million objects",
    "is told of a comment with 8 million empty objects",
    "issue_comment",
    (repository) => `{${head(repository)},"issue":{"number":1,"labels":[${"{},".repeat(8_000_000)}{}]}}`,
  ),
  delivered(
    "24 MB of words",
    "is told of a comment of 24 MB",
    "issue_comment",
    (repository) =>
      `{${head(repository)},"issue":{"number":1},"comment":{"id":1,"user":{"login":"ana","id":1,"type":"User"},"body":"${"/forge status\\n> @a ".repeat(1_200_000)}"}}`,
  ),
];

/** As much as can be of whatever is read on the main thread. */
export const AMOUNTS: readonly Payload[] = [...CHANGES, ...COMMENTS, ...DELIVERIES];
