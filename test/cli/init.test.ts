import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseConfiguration } from "../../src/analysis/configuration/parse-configuration.ts";
import { runInit } from "../../src/cli/init/init.ts";
import { RepoConfig } from "../../src/domain/repo-config.ts";
import { lookAtProject } from "../../src/pipeline/local/look-at-project.ts";
import type { Project } from "../../src/pipeline/project/read-project.ts";
import { settingsFile } from "../../src/pipeline/project/settings-file.ts";
import { createRedactor } from "../../src/safety/redact.ts";
import { temporaryFolder } from "../workspace/sandbox-machine.ts";

const SETTINGS = ".github/forge.yml";
const MANIFEST = { name: "shop", scripts: { test: "vitest run", typecheck: "tsc", lint: "biome check" } };

function checkout(files: Readonly<Record<string, string>>, { git = true } = {}): string {
  const folder = realpathSync(temporaryFolder());
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (git) execFileSync("git", ["init", "-q", folder]);
  return folder;
}

const shop = () =>
  checkout({
    "package.json": JSON.stringify(MANIFEST),
    "src/price.ts": "",
    "src/price.test.ts": "",
    "src/fixtures/cart.ts": "",
    "tools/load.go": "",
    "db/migrations/1.sql": "",
    "dist/price.js": "",
  });

/** What `forge init` prints, its exit code and the file that it leaves. */
async function init(folder: string, ...options: string[]) {
  const streams = { out: "", err: "" };
  const look = (at: string) => lookAtProject(at, [], new AbortController().signal);
  const code = await runInit([folder, ...options], look, {
    out: { write: (text) => (streams.out += text) },
    err: { write: (text) => (streams.err += text) },
    noColor: true,
    redact: createRedactor([]),
  });
  const path = join(folder, SETTINGS);
  return { code, ...streams, written: existsSync(path) ? readFileSync(path, "utf8") : undefined };
}

/** The file with every setting switched on that it names in a comment. */
const switchedOn = (text: string) => text.replace(/^(\s*)#(?=[^\s#])/gm, "$1");

describe("CLI-5: forge init", () => {
  it("writes what it found into the root of the checkout, and says what to do next", async () => {
    const folder = shop();
    const { code, out } = await init(join(folder, "src"));
    const written = readFileSync(join(folder, SETTINGS), "utf8");
    expect(code).toBe(0);
    expect(out).toMatch(/^Wrote .*\.github\/forge\.yml\n\nFound here:\n/);
    expect(out).toContain(
      "  Languages  TypeScript (3 files), SQL (1 file), Go (1 file); no static analyzer for SQL, Go\n",
    );
    expect(out).toContain("  Tests      vitest, 1 file\n  Types      npm run typecheck\n  Packages   none needed\n");
    expect(out).toMatch(/\nNext:\n {2}.* review .*\n(?: {2}.* test .*\n)? {2}git -C .* add \.github\/forge\.yml /);
    expect(written).toContain('project:\n  name: "shop"\n  language: "TypeScript, SQL, Go"\n');
    expect(written).toContain('  #paths: { exclude: ["**/fixtures/**"] }\n');
    expect(written).toContain('  #protected_paths: [".github/**", "db/migrations/**"]\n');
    expect(written).toContain(
      '  # Found: vitest. A command set here always runs all tests.\n  #test: ["npm", "test"]\n',
    );
    expect(written.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("writes a file that Forge accepts as it is, and with every setting in it switched on", async () => {
    const { out } = await init(shop(), "--print");
    const asItIs = parseConfiguration(out);
    expect(asItIs).toMatchObject({ ok: true, given: { review: { on_pr: true } } });
    // Apart from the name and the languages, the file changes nothing.
    const { project: _own, ...rest } = RepoConfig.parse(asItIs.ok ? asItIs.given : {});
    const { project: _none, ...defaults } = RepoConfig.parse({});
    expect(rest).toEqual(defaults);
    expect(parseConfiguration(switchedOn(out))).toMatchObject({
      ok: true,
      given: {
        review: { paths: { exclude: ["**/fixtures/**"] }, authors: { exclude: ["renovate[bot]"] } },
        tools: { test: ["npm", "test"], typecheck: ["npm", "run", "typecheck"], lint: ["npm", "run", "lint"] },
      },
    });
  });

  it.each([
    ["nothing at all", {}],
    ["a name in quotes and over lines", { name: 'a"b\\\n- evil: [\u001b[31m\u0085\u2028\ud800' }],
    ["a name as long as a file", { name: "x".repeat(20_000) }],
    ["a folder that looks like a glob", { paths: ["{[*/migrations/1.sql", "a'b/migrations/2.sql"] }],
    [
      "many languages",
      { languages: ["C#", "C++", "F#", "Objective-C"].map((name) => ({ name, files: 9, isRead: false })) },
    ],
  ])("writes a file that Forge accepts for a project with %s", (_what, given: Partial<Project>) => {
    const facts: Project = { name: "x", paths: [], languages: [], scripts: new Set(), ...given };
    const file = settingsFile(facts);
    for (const text of [file, switchedOn(file)]) expect(parseConfiguration(text)).toMatchObject({ ok: true });
  });

  it.each([
    ["Python", '  #test: ["python3", "-m", "pytest"]\n', '  #typecheck: ["mypy", "."]\n'],
    ["Go", '  #test: ["go", "test", "./..."]\n', '  #typecheck: ["go", "vet", "./..."]\n'],
    ["C#", '  #test: ["make", "test"]\n', '  #typecheck: ["npm", "run", "typecheck"]\n'],
  ])("CLI-7: names tools that are usual in %s where none was found", (name, ...lines) => {
    const file = settingsFile({
      name: "x",
      paths: [],
      scripts: new Set(),
      languages: [{ name, files: 1, isRead: true }],
    });
    for (const line of lines) expect(file).toContain(line);
    expect(parseConfiguration(switchedOn(file))).toMatchObject({ ok: true });
  });

  it("never replaces a file unless --force says so, and says whether Forge can read it", async () => {
    const folder = checkout({ [SETTINGS]: "review: { on_pr: perhaps }\n" });
    const kept = await init(folder);
    expect(kept).toMatchObject({ code: 1, out: "", written: "review: { on_pr: perhaps }\n" });
    expect(kept.err).toMatch(/exists already, and nothing was changed\. It has a mistake in line 1: .*on_pr/);
    expect(kept.err).toMatch(/ init .* --print\nTo replace the file: .* init .* --force\n$/);
    const forced = await init(folder, "--force");
    expect(forced).toMatchObject({ code: 0, err: "" });
    expect(forced.out).toMatch(/^Replaced /);
    expect((await init(folder)).err).toContain("Forge can read it.");
  });

  it("says what keeps Forge from deploying as the file says", async () => {
    const workflow = ".github/workflows/deploy.yml";
    const settings = `deploy:\n  after_merge: staging\n  production: { way: workflow_dispatch, workflow: ${workflow} }\n`;
    const { err } = await init(checkout({ [SETTINGS]: settings }));
    expect(err).toContain("Forge can read it.\nNo merge is deployed: `deploy.after_merge` is `staging`");
    expect(err).toContain(`\nNothing can be deployed to production: there is no file \`${workflow}\``);
    const whole = { [SETTINGS]: settings.replace("staging", "production"), [workflow]: "on: workflow_dispatch\n" };
    expect((await init(checkout(whole))).err).not.toContain("deployed");
  });

  it("prints the file alone with --print, and writes nothing", async () => {
    const folder = shop();
    const { code, out, err, written } = await init(folder, "--print");
    expect({ code, err, written }).toEqual({ code: 0, err: "", written: undefined });
    expect(out).toMatch(/^# Settings of Forge for this repository, /);
  });

  it("follows no link out of the repository", async () => {
    const outside = temporaryFolder();
    const folder = checkout({ "a.py": "" });
    symlinkSync(outside, join(folder, ".github"));
    await expect(init(folder)).rejects.toMatchObject({ code: "settings_not_written" });
    expect(existsSync(join(outside, "forge.yml"))).toBe(false);
  });

  it("works outside of git, and in an empty folder", async () => {
    const { out, written } = await init(checkout({}, { git: false }));
    expect(out).toContain("no code in a language that Forge knows, except build output\n");
    expect(out).toContain("no way to run them was found: set tools.test\n");
    expect(out).toContain("this folder is in no checkout, so each review reads all of it\n");
    expect(out).not.toContain("git ");
    expect(written).toContain("# No way to run tests was found. Name one:\n");
  });

  it.each([
    ["two folders", ["b"], /init takes one folder/],
    ["--print with --force", ["--print", "--force"], /--print writes no file/],
  ])("refuses %s", async (_what, more, message) => {
    await expect(init(checkout({}), ...more)).rejects.toThrow(message);
  });
});
