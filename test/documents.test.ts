import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../src/app/config.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { COMMAND_NAMES, CommandName } from "../src/domain/commands.ts";
import { RepoConfig } from "../src/domain/repo-config.ts";

/** What users read, by path; `patterns.md` is written by a program. */
const PAGES = new Map(
  ["README.md", "SECURITY.md", "AGENTS.md", ...pagesIn("docs"), ...pagesIn("docs/decisions")]
    .filter((path) => path !== "docs/patterns.md")
    .map((path) => [path, readFileSync(path, "utf8")]),
);

function pagesIn(folder: string): string[] {
  return readdirSync(folder)
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
    const known = (name: string) => programs.has(name) || name === "hangs";
    expect(missing(/(?:npx |`)forge ([a-z]+)(?= [<[-]|`)/g, known)).toEqual([]);
    expect(
      [...programs].filter(
        (name) =>
          !read("README.md").match(`forge ${name}\\b|npm ${name}\\b|\`${name}\``) &&
          !read("docs/operations.md").includes(`forge ${name}`),
      ),
    ).toEqual([]);
    const texts = JSON.stringify(COMMANDS);
    const options = [...PAGES].flatMap(([path, text]) =>
      [...text.matchAll(/npx forge [^`\n#]*/g)].flatMap(([line]) =>
        [...line.matchAll(/ --([a-z][a-z-]+)/g)].map(([, option]) => ({ said: `${path}: ${line}`, option: option! })),
      ),
    );
    expect(options.length).toBeGreaterThan(10);
    expect(options.filter(({ option }) => option !== "help" && !texts.includes(`--${option}`))).toEqual([]);
  });

  it("commands of comments: each is in the table of README.md, and no other is named", () => {
    // One of `recipes.md` is a command that was tried and is not there.
    const known = (name: string) => CommandName.safeParse(name).success || name === "owners";
    expect(missing(/`\/forge ([a-z]+)/g, known)).toEqual([]);
    const table = read("README.md").split("\n## Commands\n")[1]!.split("\n## ")[0]!;
    expect(COMMAND_NAMES.filter((name) => !table.includes(`/forge ${name}`))).toEqual([]);
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

  it("settings of forge.yml in README.md: each is one, with its default, and each is named", () => {
    const readme = read("README.md");
    const blocks = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => parse(text!) as Settings);
    expect(blocks.length).toBe(2);
    // An environment is left out as shipped: here it is as a repository gets it that names one.
    const usual = (block: Settings) =>
      RepoConfig.parse("deploy" in block ? { deploy: { staging: { way: "deployment" } } } : {});
    for (const block of blocks) expect(RepoConfig.parse(block)).toEqual(usual(block));
    const shown = blocks.flatMap((block) => leavesOf(block));
    const isShown = new Set(shown.map(({ path }) => path));
    const unnamed = leavesOf(usual(blocks[0]!)).filter(({ path }) => {
      const key = path.split(".").at(-1)!;
      return !isShown.has(path) && !new RegExp(`\\b${key}\\b`).test(readme);
    });
    expect(unnamed).toEqual([]);
  });
});

const KEY = `${["-----BEGIN", "RSA PRIVATE KEY-----"].join(" ")}\nabc\n-----END RSA PRIVATE KEY-----\n`;

type Settings = Readonly<Record<string, unknown>>;

/** Each setting without settings below it, by its path. */
function leavesOf(settings: Settings, before = ""): { readonly path: string; readonly value: unknown }[] {
  return Object.entries(settings).flatMap(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? leavesOf(value as Settings, `${before}${key}.`)
      : [{ path: `${before}${key}`, value }],
  );
}

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
