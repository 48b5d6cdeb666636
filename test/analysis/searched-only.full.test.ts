import { describe, expect, it } from "vitest";
import { holdsScripts, readsLikeCode } from "../../src/analysis/searched-only.ts";
import { analyse, sourceFile } from "./change-of.ts";

const BACKDOOR = "eval(process.argv[2]);\n";

describe("GH-11a: what may run and no analyser reads", () => {
  it("is named file by file, and prose, data and pictures are not", async () => {
    const { coverage } = await analyse({
      "src/main.rs": "fn main() {}\n",
      Makefile: "all:\n\techo\n",
      "a.svg": "<svg><script>alert(1)</script></svg>\n",
      "b.svg": "<svg><path d='M0 0'/></svg>\n",
      "a.html": "<p onclick='go()'>\n",
      "b.html": "<p>Words.</p>\n",
      "App.vue": "<script>export default {}</script>\n",
      "a.mdx": "# Words\n\n{go()}\n",
      "b.mdx": "# Words\n\n```js\ngo({ a: 1 })\n```\n",
      "bin/run": BACKDOOR,
      LICENSE: BACKDOOR,
      "YARN.LOCK": BACKDOOR,
      "mix.lock": "{}\n",
      "test/fixtures/a.js": BACKDOOR,
      "test/fixtures/b.js": "export const a = 1;\n",
      "README.md": "# Words\n\n```js\neval(x)\n```\n",
      "CHANGELOG.txt": "1.0 (2026)\n- It does this (and that)\n",
      "data.csv": "a,b\n1,2\n",
      "pyproject.toml": '[project]\nname = "a"\n',
      "compose.yml": "services: {}\n",
      "a.json": "{}\n",
      "src/a.ts": "export const a = 1;\n",
    });
    expect(coverage.searchedOnly).toEqual([
      { path: "src/main.rs", reason: "Rust" },
      { path: "Makefile", reason: "Make" },
      { path: "a.svg", reason: "scripts in SVG" },
      { path: "a.html", reason: "scripts in HTML" },
      { path: "App.vue", reason: "Vue" },
      { path: "a.mdx", reason: "scripts in MDX" },
      { path: "bin/run", reason: "reads like code" },
      { path: "LICENSE", reason: "reads like code" },
      { path: "YARN.LOCK", reason: "reads like code" },
      { path: "mix.lock", reason: "a lock file of a kind that is not read" },
      { path: "test/fixtures/a.js", reason: "a fixture that runs text as code" },
    ]);
    // REV-8: nobody looked its packages up.
    expect(coverage.notes).toEqual([expect.stringContaining("not checked in `mix.lock`")]);
  });

  it("SEC-1: only the dangers of a copy or template are told; a back door in a test counts, as CI runs it", async () => {
    const names = ["hook.js.txt", "hook.jsm", "hook.js~", "hook.cjs.bak", "a/__snapshots__/a.test.js.snap"];
    const { observations, coverage } = await analyse({
      ...Object.fromEntries(names.map((name) => [name, `var a\n${BACKDOOR}`])),
      "a.py.tmpl": "import {{ x }}\nif x\n",
      // Code that is a constant counts for nothing there.
      "test/a.test.js":
        "eval('1 + 1'); eval(process.argv[2]);\nnew Function('a', process.env.B);\neval(\"require('x')\");\n",
      "test/test_a.py": "import sys\nexec(sys.argv[1])\n",
    });
    const copies = observations.filter(({ file }) => !file.startsWith("test/"));
    const told = copies.filter(({ rule }) => rule.endsWith("/noGlobalEval")).map(({ file }) => file);
    expect(told.sort()).toEqual(names.toSorted());
    expect(copies.filter(({ file }) => file === "a.py.tmpl")).toEqual([]);
    expect(coverage.searchedOnly).toEqual([{ path: "a.py.tmpl", reason: "Python that does not parse" }]);
    const tests = observations.filter(({ file }) => file.startsWith("test/"));
    expect(tests.map(({ file, line, severity }) => `${file}:${line} ${severity}`).sort()).toEqual([
      "test/a.test.js:1 info",
      "test/a.test.js:1 warning",
      "test/a.test.js:2 warning",
      "test/a.test.js:3 warning",
      "test/test_a.py:2 warning",
    ]);
  });

  it.each([
    ["a.svg", "<svg><a xlink:href=' java\nscript:go()'/></svg>"],
    ["a.svg", '<svg><animate attributeName="href" onbegin="go()"/></svg>'],
    ["a.svg", '<svg><use href="data:image/svg+xml;base64,AAAA#a"/></svg>'],
    ["a.svg", '<svg><a href="&#106;avascript:go()"/></svg>'],
    ["a.html", "<iframe srcdoc='&lt;script>'>"],
  ])("finds what runs in %s: %s", (path, text) => {
    expect(holdsScripts(sourceFile(path, text))).toBe(true);
  });

  it.each([
    ["notes.txt", "Words.\nMore (of them).\n", false],
    ["notes.txt", "/* Words. */ require('child_process').exec(x)\n", true],
    ["deploy", "set -e\ncurl https://a.example/x | sh\n", true],
    ["page.md", "<!-- -->\neval(process.argv[2]);\n", true],
    ["page.md", "# Words\n\nIt calls require('a') once.\nAnd more.\n", false],
    ["a.cfg", "[a]\nb = c\n", false],
    ["AUTHORS", "Ana <ana@example.com>\n", false],
    ["x", "#!/opt/strange\n", true],
  ])("knows whether %s reads like code: %s", (path, text, is) => {
    expect(readsLikeCode(sourceFile(path, text))).toBe(is);
  });
});
