import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { KINDS } from "../src/pipeline/kinds.ts";

/** The rooms of `src/`, lowest first; a room imports itself and rooms before it. Beside them lies `main.ts` alone, which no room imports. */
const ROOMS = [
  "domain",
  "safety",
  "store",
  "queue",
  "memory",
  "llm",
  "workspace",
  "analysis",
  "tools",
  "monitoring",
  "agents",
  "pipeline",
  "learning",
  "github",
  "dashboard",
  "setup",
  "cli",
  "app",
  "main.ts",
] as const;

/** Stricter than the order: rooms that must never reach others, though these stand before them. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  safety: ["store"],
  llm: ["store"],
  workspace: ["store"],
  analysis: ["store"],
  monitoring: ["store", "queue", "workspace"],
  agents: ["store", "queue"],
  setup: ["store", "queue", "pipeline"],
};

/** Packages that only these rooms may import. */
const FENCES: readonly { readonly packages: RegExp; readonly rooms: readonly string[] }[] = [
  { packages: /^(?:probot|octokit|@octokit\/)/, rooms: ["github", "app"] },
  { packages: /^(?:@anthropic-ai\/|openai$)/, rooms: ["llm"] },
  { packages: /^(?:drizzle-orm|@libsql\/)/, rooms: ["store"] },
  { packages: /^@prometheus-io\//, rooms: ["learning"] },
  { packages: /^(?:hono|@hono\/)/, rooms: ["dashboard", "setup"] },
  { packages: /^bullmq$/, rooms: ["queue"] },
  { packages: /^d3-/, rooms: ["dashboard"] },
  { packages: /^(?:simple-git|node:child_process)$/, rooms: ["workspace"] },
  {
    packages: /^(?:@actions\/|@biomejs\/|@secretlint\/|eslint|oxc-|@lezer\/|@ast-grep\/|diff$|fast-xml-parser)/,
    rooms: ["analysis"],
  },
];

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
}

/** Every import and export-from, type imports and dynamic ones included. */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g);
  return [...found].map((match) => ({ file, specifier: match[1]! }));
}

/** What `forge-lifecycle/agent` is made of; the agents of Forge itself lie beside it (LOOP-22). */
const THE_LOOP = /^agents\/(?:loop\/|agent-loop\.ts|agent-definition\.ts|ports\.ts)/;

function violations(root: string): string[] {
  const found: string[] = [];
  const roomOf = (path: string) => relative(root, path).split("/")[0]!;
  for (const { file, specifier } of sourceFiles(root).flatMap(importsOf)) {
    const from = roomOf(file);
    const place = `${relative(root, file)} imports ${specifier}`;
    if (specifier.startsWith(".")) {
      const target = resolve(dirname(file), specifier);
      if (relative(root, target).startsWith("..")) {
        if (!specifier.endsWith(".json")) found.push(`${place}: outside src`);
        continue;
      }
      const to = roomOf(target);
      if (from === to) continue;
      const order = [ROOMS.indexOf(from as (typeof ROOMS)[number]), ROOMS.indexOf(to as (typeof ROOMS)[number])];
      if (order[0] === -1) found.push(`${place}: ${from} is no room`);
      else if (order[1] === -1 || order[1]! > order[0]!) found.push(`${place}: ${from} must not know ${to}`);
      else if (NEVER[from]?.includes(to)) found.push(`${place}: ${from} must never touch ${to}`);
      else if (THE_LOOP.test(relative(root, target))) found.push(`${place}: the loop has one entry, agents/library.ts`);
    } else {
      for (const fence of FENCES) {
        if (fence.packages.test(specifier) && !fence.rooms.includes(from)) {
          found.push(`${place}: fenced into ${fence.rooms.join(", ")}`);
        }
      }
    }
  }
  return found;
}

/** Folders that join kinds as `app` does, for runs without GitHub. */
const JOINING: ReadonlySet<string> = new Set(["local"]);

/** Imports of a kind of run by another one, or by what is the same for all. */
function knowing(root: string): string[] {
  const folderOf = (path: string) => relative(root, path).split("/")[0] ?? "";
  return sourceFiles(root).flatMap((file) => {
    const from = folderOf(file);
    if (from === "kinds.ts" || JOINING.has(from)) return [];
    return importsOf(file).flatMap(({ specifier }) => {
      const to = folderOf(resolve(dirname(file), specifier));
      const isStrange = specifier.startsWith(".") && from !== to && Object.hasOwn(KINDS, to);
      return isStrange ? [`${relative(root, file)}: ${specifier}`] : [];
    });
  });
}

/** Where names of kinds have to stand: the list of them, the schemas of what is stored under them, and the job that other kinds wake. */
const MAY_NAME = new Set([
  'domain/event-catalogue.ts: kind === "deploy"',
  // Of the kind of job, which a review and a deployment put off for the work on an issue that waits for them.
  'pipeline/runs/decision.ts: kind: "implement", key: subjectKey(subject), payload',
  // Of a comment's source.
  'github/comment-reader.ts: case "review"',
]);

/** Functions that are given a kind of run, by the types of their parameters. */
function takersOf(root: string): string[] {
  const declared = /\bfunction (\w+)(?:<[^(]*>)?\(([^{]*?\b(?:\w*[kK]inds?)\??: (?:readonly )?RunKind\b)/g;
  return sourceFiles(root).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(declared)].map(([, name]) => name!),
  );
}

/**
 * Each way to name a kind of run, for these names. Bare words will not do, as a phase is "review" too: it is the place that tells. A command's
 * source has a kind too, which is another thing.
 */
function waysToName(names: string, takers: readonly string[]): readonly RegExp[] {
  return [
    // Comparisons, either way around.
    new RegExp(`(?<!source\\.)\\b[kK]ind [!=]== "(?:${names})"`, "g"),
    new RegExp(`"(?:${names})" [!=]== (?!source\\.)(?:\\w+\\.)*[kK]ind\\b`, "g"),
    // Drizzle, and text of SQL.
    new RegExp(`\\b(?:eq|ne|like|(?:notI|i)nArray)\\((?:\\w+\\.)*kind,[^)]*?"(?:${names})"`, "g"),
    new RegExp(`\\bkind\\}?"? *(?:=|<>|!=|is|is not|(?:not )?in|like) *\\(?[^)\\n]*?'(?:${names})'`, "g"),
    // Members, and questions for one.
    new RegExp(`\\b(?:KINDS|kinds|PIPELINES)(?:\\??\\.(?:${names})\\b|(?:\\?\\.)?\\["(?:${names})"\\])`, "g"),
    new RegExp(`"(?:${names})" in \\w+`, "g"),
    // Arguments of functions that are given a kind.
    ...(takers.length === 0 ? [] : [new RegExp(`\\b(?:${takers.join("|")})\\([^;]*?"(?:${names})"`, "g")]),
    // The jobs of a kind.
    new RegExp(`\\bkind: "(?:${names})", key\\b[^}]*?\\bpayload\\b`, "g"),
  ];
}

/** Each `case` with one of these names whose `switch` is over a kind. Relies on the formatter's indentation. */
function casesOf(text: string, names: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const found = new RegExp(`^( +)(case "(?:${names})"):`).exec(line);
    if (!found) return [];
    const head = lines.slice(0, at).findLast((one) => one.startsWith(`${found[1]!.slice(2)}switch (`)) ?? "";
    return /(?<!source\.)\b[kK]ind\) \{$/.test(head) ? [found[2]!] : [];
  });
}

/** What names a kind of run, outside of its folder. */
function naming(root: string): string[] {
  const takers = takersOf(root);
  return sourceFiles(root).flatMap((file) => {
    const place = relative(root, file);
    const strange = Object.keys(KINDS).filter((kind) => !place.startsWith(`pipeline/${kind}/`));
    const names = strange.join("|");
    const text = readFileSync(file, "utf8");
    const found = waysToName(names, takers).flatMap((way) => [...text.matchAll(way)].map(([said]) => said));
    return [...found, ...casesOf(text, names)].map((said) => `${place}: ${said}`).filter((one) => !MAY_NAME.has(one));
  });
}

const planted = mkdtempSync(join(tmpdir(), "rooms-"));
afterAll(() => rmSync(planted, { recursive: true }));

describe("the law of imports", () => {
  it("holds in src", () => {
    expect(violations(resolve("src"))).toEqual([]);
  });

  it("catches planted faults, so that a checker that sees nothing does not look like a clean tree", () => {
    const plant = (file: string, text: string) => {
      mkdirSync(dirname(join(planted, file)), { recursive: true });
      writeFileSync(join(planted, file), text);
    };
    plant("domain/a.ts", 'import type { Store } from "../store/store.ts";');
    plant("store/store.ts", 'export { x } from "./x.ts";\nimport { drizzle } from "drizzle-orm/libsql";');
    plant("store/x.ts", 'const { main } = await import("../main.ts");');
    plant("analysis/b.ts", 'import { spawn } from "node:child_process";\nimport "../store/store.ts";');
    plant("app/c.ts", 'import "../domain/a.ts";\nimport { Probot } from "probot";');
    plant("loose.ts", 'import "./domain/a.ts";');
    plant("agents/loop/d.ts", "export const d = 1;");
    plant("pipeline/e.ts", 'import { d } from "../agents/loop/d.ts";');
    plant("main.ts", 'import "./app/c.ts";\nimport { Probot } from "probot";');
    expect(violations(planted).sort()).toEqual([
      "analysis/b.ts imports ../store/store.ts: analysis must never touch store",
      "analysis/b.ts imports node:child_process: fenced into workspace",
      "domain/a.ts imports ../store/store.ts: domain must not know store",
      "loose.ts imports ./domain/a.ts: loose.ts is no room",
      "main.ts imports probot: fenced into github, app",
      "pipeline/e.ts imports ../agents/loop/d.ts: the loop has one entry, agents/library.ts",
      "store/x.ts imports ../main.ts: store must not know main.ts",
    ]);
  });

  it("PIPE-1: kinds of run know the kernel and never one another, and the kernel knows them by kinds.ts alone", () => {
    const folder = resolve("src/pipeline");
    for (const kind of Object.keys(KINDS)) expect(existsSync(join(folder, kind, "kind.ts")), kind).toBe(true);
    expect(knowing(folder)).toEqual([]);
    const root = join(planted, "pipeline");
    const plant = (place: string, imported: string) => {
      mkdirSync(dirname(join(root, place)), { recursive: true });
      writeFileSync(join(root, place), `import type { B } from "${imported}";\nimport "../runs/c.ts";`);
    };
    const others = readdirSync(folder, { withFileTypes: true }).flatMap((each) => {
      return each.isDirectory() && !JOINING.has(each.name) && !Object.hasOwn(KINDS, each.name) ? [each.name] : [];
    });
    expect(others).toContain("testing");
    const faults = [...Object.keys(KINDS), ...others].flatMap((from) =>
      Object.keys(KINDS).flatMap((kind) => (kind === from ? [] : [{ place: `${from}/knows-${kind}.ts`, kind }])),
    );
    for (const { place, kind } of faults) plant(place, `../${kind}/b.ts`);
    plant("loose.ts", "./deploy/b.ts");
    plant("review/own.ts", "./b.ts");
    plant("kinds.ts", "./deploy/kind.ts");
    const found = [...faults.map(({ place, kind }) => `${place}: ../${kind}/b.ts`), "loose.ts: ./deploy/b.ts"];
    expect(knowing(root).sort()).toEqual(found.sort());
  });

  it("PIPE-1: what goes for each kind of run asks its row, and names none", () => {
    expect(naming(resolve("src"))).toEqual([]);
    const root = join(planted, "names");
    const plant = (place: string, text: string) => {
      mkdirSync(dirname(join(root, place)), { recursive: true });
      writeFileSync(join(root, place), text);
    };
    plant("runs.ts", "export function find(store: Store, kind?: RunKind) {}\nfunction phaseOf(phase: Phase) {}");
    const faults: Readonly<Record<string, readonly [line: string, said: string]>> = {
      "argument.ts": ['await find(store, "review");', 'find(store, "review"'],
      "backwards.ts": ['if ("deploy" !== run.kind) a();', '"deploy" !== run.kind'],
      "case.ts": ['  switch (run.kind) {\n    case "deploy":\n      a();\n  }', 'case "deploy"'],
      "compared.ts": ['if (run.kind === "deploy") a();', 'kind === "deploy"'],
      "drizzle.ts": ['and(eq(runs.kind, "review"), b)', 'eq(runs.kind, "review"'],
      "drizzle-list.ts": ['inArray(runs.kind, ["deploy", "review"])', 'inArray(runs.kind, ["deploy"'],
      "element.ts": ['KINDS["review"].wake();', 'KINDS["review"]'],
      "in.ts": ['if ("deploy" in started.payload) a();', '"deploy" in started'],
      "job.ts": ['addJobs([{ kind: "review", key, payload }]);', 'kind: "review", key, payload'],
      "member.ts": ["kinds.deploy.wake();", "kinds.deploy"],
      "sql.ts": ["sql`select 1 from runs where runs.kind = 'deploy'`", "kind = 'deploy'"],
      "sql-list.ts": ["sql`runs.kind in ('other', 'review')`", "kind in ('other', 'review'"],
      "sql-column.ts": [`sql\`\${runs.kind} = 'implement'\``, "kind} = 'implement'"],
      "pipeline/review/other.ts": ['if (run.kind === "deploy") a();', 'kind === "deploy"'],
    };
    for (const [place, [line]] of Object.entries(faults)) plant(place, line);
    plant("pipeline/deploy/own.ts", 'if (payload.kind === "deploy") find(store, "deploy");');
    plant(
      "phases.ts",
      '  switch (phase) {\n    case "review":\n      phaseOf("review");\n  }\nif (phase === "review") b();',
    );
    plant(
      "source.ts",
      'if (source.kind === "review") b();\n  switch (source.kind) {\n    case "review":\n      b();\n  }',
    );
    const found = Object.entries(faults).map(([place, [, said]]) => `${place}: ${said}`);
    expect(naming(root).sort()).toEqual(found.sort());
  });

  it("GitHub is asked in one file", () => {
    const asks = /\.(?:request|graphql|paginate|rest)\b\s*(?:\(|\.)/;
    const past = sourceFiles(resolve("src/github"))
      .concat(sourceFiles(resolve("src/app")))
      .filter((file) => asks.test(readFileSync(file, "utf8")))
      .map((file) => relative(resolve("src"), file));
    expect(past).toEqual(["github/ask.ts"]);
  });

  it("the simulator imports nothing of src", () => {
    if (!existsSync("simulator")) return;
    const inward = sourceFiles("simulator")
      .flatMap(importsOf)
      .filter(({ specifier }) => /(?:^|\/)src\//.test(specifier));
    expect(inward).toEqual([]);
  });
});

/** Circles of files, type imports included: each as the files that can reach one another. */
function circles(root: string): string[][] {
  const files = sourceFiles(root);
  const known = new Set(files);
  const targets = (file: string) =>
    importsOf(file).flatMap(({ specifier }) => {
      const target = join(dirname(file), specifier);
      return specifier.startsWith(".") && known.has(target) ? [target] : [];
    });
  const next = new Map(files.map((file) => [file, targets(file)]));
  const reach = new Map<string, Set<string>>();
  for (const file of files) {
    const seen = new Set<string>();
    const left = [...(next.get(file) ?? [])];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      left.push(...(next.get(at) ?? []));
    }
    reach.set(file, seen);
  }
  const found = new Map<string, string[]>();
  for (const file of files.filter((one) => reach.get(one)?.has(one))) {
    const circle = files.filter((other) => reach.get(file)?.has(other) && reach.get(other)?.has(file));
    found.set(circle[0] ?? file, circle);
  }
  return [...found.values()];
}

it("files import one another in no circle", () => {
  expect(circles("src")).toEqual([]);
  const circular = mkdtempSync(join(tmpdir(), "circles-"));
  writeFileSync(join(circular, "a.ts"), 'import type { B } from "./b.ts";');
  writeFileSync(join(circular, "b.ts"), 'import { a } from "./a.ts";');
  writeFileSync(join(circular, "c.ts"), 'import { a } from "./a.ts";');
  expect(circles(circular)).toEqual([[join(circular, "a.ts"), join(circular, "b.ts")]]);
  rmSync(circular, { recursive: true });
});

/** What a `switch` with a `default:` is over, of the files where that is text of others: a model, git, GitHub, a parser, a library's errors. */
const FROM_OUTSIDE = [
  "agents/implementer/scope.ts: tool",
  "analysis/child/eslint/parse-script.ts: node.type",
  "analysis/child/imports/read-literals.ts: node.type",
  "analysis/child/outline-file.ts: node.type",
  "analysis/configuration/setting-advice.ts: expected",
  "analysis/patterns/answers.ts: inner.type",
  "analysis/patterns/facts.ts: node.type",
  "analysis/patterns/facts.ts: pattern.type",
  "analysis/patterns/flow.ts: node.type",
  "analysis/patterns/guards.ts: name",
  "analysis/patterns/guards.ts: node.type",
  "analysis/patterns/names.ts: inner.type",
  "analysis/patterns/names.ts: node.type",
  "analysis/patterns/python/own-text.ts: inner.type",
  "analysis/patterns/python/read-expressions.ts: node.name",
  "analysis/patterns/python/read-python.ts: node.name",
  "analysis/patterns/schemas.ts: name",
  "analysis/patterns/summarise.ts: statement.type",
  "analysis/patterns/without-prototype.ts: inner.type",
  "analysis/risk/complexity-increments.ts: node.type",
  "analysis/tests/selection/settings-parts.ts: node.type",
  // Names every refusal that has no words of its own on the terminal.
  "cli/run/gate-words.ts: refusal.reason",
  "domain/explain-settings.ts: issue.code",
  "github/classify-failure.ts: errors[0]?.type",
  "workspace/parse-raw-diff.ts: letters[0]",
];

/** Each `default:` that names nothing of what it takes, as its file and what its `switch` is over. Relies on the formatter's indentation. */
function swallowing(root: string): string[] {
  return sourceFiles(root).flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line, at) => {
      const indent = /^( +)default:(?: \{)?$/.exec(line)?.[1];
      if (indent === undefined) return [];
      const outer = indent.slice(2);
      const body = lines.slice(at, lines.indexOf(`${outer}}`, at)).join("\n");
      if (/ satisfies |misdirected\(/.test(body)) return [];
      const head = lines.slice(0, at).findLast((one) => one.startsWith(`${outer}switch (`)) ?? "";
      return [`${relative(root, file)}: ${head.slice(outer.length + "switch (".length, -") {".length)}`];
    });
  });
}

it("PIPE-2: what a default takes over a union of our own is named, so a new member is a compile error", () => {
  expect([...new Set(swallowing(resolve("src")))].sort()).toEqual(FROM_OUTSIDE);
  const root = join(planted, "defaults");
  mkdirSync(root);
  const over = (what: string, body: string) =>
    `function a() {\n  switch (${what}) {\n    case "x":\n      return 1;\n    default:\n${body}\n  }\n}\n`;
  writeFileSync(
    join(root, "a.ts"),
    over("event.type", "      return 2;") + over("kind", "      return kind satisfies never;"),
  );
  expect(swallowing(root)).toEqual(["a.ts: event.type"]);
});

it("OPS-3: folders are removed in one way, which copes with whatever a hostile program left; the rest holds what we wrote", () => {
  const allowed = [
    "src/workspace/local/open-view.ts",
    "src/workspace/mirror-directory.ts",
    "src/workspace/prune-mirrors.ts",
    "src/workspace/sandbox/fetch-bubblewrap.ts",
  ];
  const removing = sourceFiles("src").filter((file) => {
    return /\brm(?:Sync)?\([^;]*recursive: true/.test(readFileSync(file, "utf8"));
  });
  expect(removing.sort()).toEqual(allowed);
});

/** What says how busy the machine is: a clock on the wall, the processor's time, a limit in milliseconds. */
const CLOCKS =
  /performance\.now|hrtime|cpuUsage\(|threadCpuUsage|longestMs|processorMs|(?:duration|elapsed)Ms\b[^;\n]*\)\.toBeLess|[sS]econds\)\.toBeLess/i;
/** What `npm run hostile` and the chaos scripts measure and print; no test judges it. */
const MEASURING = [
  "test/chaos/implementation/tell-story.ts",
  "test/chaos/kill-everywhere.ts",
  "test/hostile/program/stopwatch.ts",
];

it("no test is decided by a clock: how fast something is belongs to bench/", () => {
  const files = sourceFiles("test").filter(
    (file) => !file.includes("/patterns/corpus/") && !file.includes("/lessons/"),
  );
  expect(files.length).toBeGreaterThan(500);
  const measuring = files.filter(
    (file) => file !== "test/architecture.test.ts" && CLOCKS.test(readFileSync(file, "utf8")),
  );
  expect(measuring.sort()).toEqual(MEASURING);
  for (const planted of [
    "expect(performance.now() - began).toBeLessThan(500);",
    "process.threadCpuUsage(before)",
    "expect(result.durationMs).toBeLessThan(50);",
    "expect(longestMs).toBeLessThan(50);",
  ])
    expect(CLOCKS.test(planted), planted).toBe(true);
});

it("no server of the tests closes a connection that its client is about to use again", () => {
  // After five seconds by default. On a busy machine the client does not hear of it in time, and a request fails with ECONNRESET.
  const opened = (file: string) => {
    const text = readFileSync(file, "utf8");
    return /import \{[^}]*\bcreateServer\b[^}]*\} from "node:http"/.test(text)
      ? [...text.matchAll(/(?<![.\w'"`])createServer\((?!\)|\{ keepAliveTimeout: 0 \}, )[^\n]*/g)].map(
          ([call]) => `${file}: ${call}`,
        )
      : [];
  };
  const files = ["test", "simulator", "demo"].flatMap((folder) => sourceFiles(folder));
  expect(files.filter((file) => !file.includes("/patterns/")).flatMap(opened)).toEqual([]);
});

/** Each row of the two ways with its number, and each file that a page names below `src/`. */
const ROW = /^\| (\d+) \| `([\w./-]+\.ts)`/gm;

it("the pages about the way through the code name files that are there, no more than is promised", () => {
  const [, toReview = "", toAnswer = ""] = readFileSync("docs/following.md", "utf8").split(/^## /m);
  const files = [toReview, toAnswer].map((way) => [...way.matchAll(ROW)].map(([, at, file]) => `${at} ${file}`));
  expect(files.map((way) => way.length)).toEqual([40, 20]);
  for (const way of files) {
    expect(way.map((row) => Number.parseInt(row, 10))).toEqual(way.map((_, index) => index + 1));
    expect(way.filter((row) => !existsSync(join("src", row.split(" ")[1] ?? "")))).toEqual([]);
  }
  const named = ["AGENTS.md", "docs/recipes.md"].flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`((?:src|test|examples)\/[\w./-]+\.ts)`/g)].map(([, file]) => file ?? ""),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});
