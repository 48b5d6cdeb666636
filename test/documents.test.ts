import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { REFERENCE_PAGES } from "../scripts/reference/pages.ts";
import { parseConfiguration } from "../src/analysis/configuration/parse-configuration.ts";
import { readConfig } from "../src/app/config.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { CommandName } from "../src/domain/commands.ts";
import { PlannedStep } from "../src/domain/deployments.ts";
import { CHECK_NAMES, CONCLUSIONS, LAYERS } from "../src/domain/phases.ts";
import { RepoConfig } from "../src/domain/repo-config.ts";
import { SEVERITIES } from "../src/domain/severities.ts";

/** What users read, by path; `patterns.md` is written by a program. */
const PAGES = new Map(
  ["README.md", "SECURITY.md", "AGENTS.md", "CONTRIBUTING.md", "CHANGELOG.md", ...pagesIn("docs")]
    .filter((path) => path !== "docs/patterns.md")
    .map((path) => [path, readFileSync(path, "utf8")]),
);

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
}

/** What a pattern finds in all pages, each as "page: what". */
function named(pattern: RegExp): Map<string, string> {
  const found = [...PAGES].flatMap(([path, text]) => [...text.matchAll(pattern)].map((match) => [path, match[1]!]));
  expect(found.length, `${pattern}`).toBeGreaterThan(0);
  return new Map(found.map(([path, what]) => [`${path}: ${what}`, what!]));
}

/** Those that `isThere` does not know. */
function missing(pattern: RegExp, isThere: (what: string) => boolean): string[] {
  return [...named(pattern)].filter(([, what]) => !isThere(what)).map(([said]) => said);
}

const read = (path: string) => readFileSync(path, "utf8");
const programs = new Set<string>(COMMANDS.map(({ name }) => name));

describe("OPS-1, CONF-1, CONF-2, GH-14: what the pages name is there", () => {
  it("commands of the command line, and their options", () => {
    // A message of the log begins so.
    const known = (name: string) => programs.has(name) || name === "help" || name === "hangs";
    expect(missing(/(?:npx forge-lifecycle|`forge) ([a-z]+)(?= [<[-]|`)/g, known)).toEqual([]);
    const texts = JSON.stringify(COMMANDS);
    const options = [...PAGES].flatMap(([path, text]) =>
      [...text.matchAll(/npx forge-lifecycle [^`\n#]*/g)].flatMap(([line]) =>
        [...line.matchAll(/ --([a-z][a-z-]+)/g)].map(([, option]) => ({ said: `${path}: ${line}`, option: option! })),
      ),
    );
    expect(options.length).toBeGreaterThan(10);
    expect(options.filter(({ option }) => option !== "help" && !texts.includes(`--${option}`))).toEqual([]);
  });

  it("commands of comments", () => {
    // One of `recipes.md` is a command that was tried and is not there.
    const known = (name: string) => CommandName.safeParse(name).success || name === "owners";
    expect(missing(/`\/forge ([a-z]+)/g, known)).toEqual([]);
  });

  it("scripts, files and links", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    expect(missing(/npm run ([a-z][a-z:-]*[a-z])/g, (name) => name in scripts)).toEqual([]);
    expect(missing(/\bnode (scripts\/[\w/.-]+\.ts)/g, existsSync)).toEqual([]);
    expect(missing(/`((?:bench|test|chaos|fuzz|measure|docs|db):[a-z]+)`/g, (name) => name in scripts)).toEqual([]);
    expect(missing(/`((?:src|test|scripts|deploy|simulator|fixtures|demo|docs)\/[\w./-]*\w)\/?`/g, existsSync)).toEqual(
      [],
    );
    const broken = [...PAGES].flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(([, to = "", anchor]) => {
        const target = to === "" ? path : normalize(join(dirname(path), to));
        if (!existsSync(target)) return [`${path}: ${to}`];
        const isThere = anchor === undefined || headingsOf(read(target)).includes(anchor);
        return isThere ? [] : [`${path}: ${to}#${anchor}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("variables of the environment: those of pages are read, those of .env.example too, with the values they have by default", () => {
    const sources = ["src", "scripts", "deploy", "test/hostile"].map(textsIn).join("\n");
    expect(missing(/\b(FORGE_[A-Z_]*[A-Z])\b/g, (name) => sources.includes(name))).toEqual([]);
    const source = read("src/app/config.ts");
    const example = [...read(".env.example").matchAll(/^(?:# )?([A-Z][A-Z_]+)=(.*)$/gm)];
    const isRead = new Set(source.match(/^ {2}[A-Z][A-Z_]+(?=:)/gm)?.map((name) => name.trim()));
    expect(example.map(([, name]) => name!).filter((name) => !isRead.has(name))).toEqual([]);
    const complete = { APP_ID: "1", WEBHOOK_SECRET: "s3cret enough", PRIVATE_KEY: KEY };
    const usual = JSON.stringify(readConfig(complete));
    const others = example.filter(([, name, value]) => {
      // What has no default shows a form.
      if (!new RegExp(`^  ${name}: .*\\.default\\((?!"\\{\\}")`, "m").test(source)) return false;
      return JSON.stringify(readConfig({ ...complete, [name!]: value })) !== usual;
    });
    expect(others.map(([line]) => line)).toEqual([]);
  });

  it("settings of forge.yml: Forge accepts each example", () => {
    const examples = [...PAGES].flatMap(([path, text]) =>
      [...text.matchAll(/^```yaml\n(.*?)^```/gms)].flatMap(([, example]) => {
        const keys = Object.keys((parse(example!) as Settings | null) ?? {});
        return keys.length > 0 && keys.every((key) => key in RepoConfig.shape) ? [{ path, example: example! }] : [];
      }),
    );
    expect(examples.length).toBeGreaterThan(2);
    const refused = examples.flatMap(({ path, example }) => {
      const parsed = parseConfiguration(example);
      return parsed.ok ? [] : parsed.mistakes.map(({ message }) => `${path}: ${message}`);
    });
    expect(refused).toEqual([]);
  });
});

describe("DOC-1: a README for newcomers, and docs in four parts", () => {
  it("README.md can be read in five minutes, and each of its comparisons has its source", () => {
    const readme = read("README.md");
    expect(readme.split("\n").length).toBeLessThanOrEqual(150);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1_200);
    const rows = readme.match(/^\| (?!\*\*Forge|\|)[A-Za-z].*\|$/gm) ?? [];
    expect(rows.length).toBe(5);
    const cells = rows.flatMap((row) => row.slice(2, -2).split("|").slice(1));
    expect(cells.filter((cell) => cell.trim() !== "" && !/^ \[[^\]]+\]\(https:/.test(cell))).toEqual([]);
    expect([...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].filter(([, path]) => !existsSync(path!))).toEqual([]);
  });

  it("docs/README.md leads to every page", () => {
    const index = read("docs/README.md");
    const pages = pagesIn("docs").map((path) => path.slice("docs/".length));
    expect(pages.filter((page) => page !== "README.md" && !index.includes(`(${page})`))).toEqual([]);
  });

  it.each([...REFERENCE_PAGES])("%s is what `npm run docs:reference` writes", (path, page) => {
    expect(read(path) === page()).toBe(true);
  });

  it("docs/guides/deploying.md has each field of a step, as a program gets it", () => {
    const [, step] = [...read("docs/guides/deploying.md").matchAll(/^```json\n(.*?)^```/gms)];
    const named = Object.keys(JSON.parse(step![1]!) as object);
    const given = ["action", "repository", ...Object.keys(PlannedStep.shape)];
    // Only a step by a workflow has one.
    expect(named.sort()).toEqual(given.filter((name) => name !== "workflow").sort());
  });

  it("docs/reference/checks.md names every check, conclusion, severity and layer", () => {
    const page = read("docs/reference/checks.md");
    const words = [CHECK_NAMES, CONCLUSIONS, SEVERITIES, LAYERS].flat();
    expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
  });
});

const KEY = `${["-----BEGIN", "RSA PRIVATE KEY-----"].join(" ")}\nabc\n-----END RSA PRIVATE KEY-----\n`;

type Settings = Readonly<Record<string, unknown>>;

/** The anchors of a page, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/ /g, "-"),
  );
}

function textsIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|mjs|ya?ml)$/.test(name))
    .map((name) => read(join(folder, name)))
    .join("\n");
}
