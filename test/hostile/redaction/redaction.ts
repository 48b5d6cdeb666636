import { goodMind, roleOf } from "../../e2e/implementer.ts";
import { type Mind, MODEL_KEY } from "../program/hostile-world.ts";
import { storedIn } from "../program/leaks.ts";
import type { Files, HostileClass, Payload, Seen } from "../program/payload.ts";
import { postedOn } from "../program/posted.ts";
import { openPull, openPullAndSay } from "../program/strikes.ts";
import { ENCODINGS, type Secret, secretsOf, WRITINGS } from "./kinds.ts";

const ALWAYS: Files = { ".github/forge.yml": "review:\n  ai: always\n" };
const CLEAN = "export const total = (prices: number[]) => prices.length;\n";

/** Where a secret that is written somewhere could come out; `told` where the model is not the one who said it. */
interface Outlet {
  readonly told: boolean;
  readonly needsSandbox?: boolean;
  readonly make: (text: string) => Pick<Payload, "strike" | "base" | "mind">;
}

const quoted = (text: string) => JSON.stringify(text);
const SARIF = (text: string) =>
  `const message = ${quoted(`leaks ${text}`)};\nconsole.log(JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "Lint" } }, results: [{ ruleId: "r", level: "error", message: { text: message }, locations: [{ physicalLocation: { artifactLocation: { uri: "src/a.ts" }, region: { startLine: 1 } } }] }] }] }));\n`;
const LINT = 'tools:\n  analysers:\n    - name: lint\n      command: ["node", "print.cjs"]\n      format: sarif\n';

/** A reader that says it in everything that it may say. */
function telling(text: string): Mind {
  const finding = {
    ...{ file: "src/a.ts", line: 1, quote: CLEAN.trim(), kind: "logic", severity: "critical", confidence: 1 },
    ...{ claim: `It leaks ${text}`, scenario: text, fix: { start_line: 1, end_line: 1, replacement: `// ${text}` } },
  };
  return (asked) => {
    if (JSON.stringify(asked.messages).includes("Your task is to refute each claim"))
      return { calls: [{ name: "complete", input: { judgements: [{ claim: 1, verdict: "stands", reason: text }] } }] };
    if (roleOf(asked) !== "reader") return goodMind(asked);
    return { text, calls: [{ name: "complete", input: { summary: text, findings: [finding], answer: text } }] };
  };
}

const OUTLETS: Readonly<Record<string, Outlet>> = {
  "the change": {
    told: true,
    make: (text) => ({ base: ALWAYS, strike: openPull({ "src/a.ts": `${CLEAN}// ${text}\n` }) }),
  },
  "a string": {
    told: true,
    make: (text) => ({
      base: ALWAYS,
      strike: openPull({ "src/a.ts": `${CLEAN}export const word = ${quoted(text)};\n` }),
    }),
  },
  "the title": {
    told: true,
    make: (text) => ({ base: ALWAYS, strike: openPull({ "src/a.ts": CLEAN }, { title: `Use ${text}`.slice(0, 250) }) }),
  },
  "an analyser": {
    ...{ told: true, needsSandbox: true },
    make: (text) => ({
      base: { ".github/forge.yml": `review:\n  ai: always\n${LINT}` },
      strike: openPull({ "print.cjs": SARIF(text), "src/a.ts": CLEAN }),
    }),
  },
  "a test": {
    ...{ told: true, needsSandbox: true },
    make: (text) => ({
      strike: openPullAndSay(
        openPull({
          "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
          "src/a.js": "export const a = 1;\n",
          "a.test.js": `import { test } from "node:test";\nimport "./src/a.js";\ntest("leaks", () => { console.log(${quoted(text)}); throw new Error(${quoted(text)}); });\n`,
        }),
        "/forge test",
      ),
    }),
  },
  "the model": {
    told: false,
    make: (text) => ({ base: ALWAYS, mind: telling(text), strike: openPull({ "src/a.ts": CLEAN }) }),
  },
  "an answer": {
    told: false,
    make: (text) => ({
      mind: telling(text),
      strike: openPullAndSay(openPull({ "src/a.ts": CLEAN }), "/forge ask What does it leak?"),
    }),
  },
};

function leaked({ kind, value }: Secret, writing: string, outlet: string): Payload {
  const text = { ...WRITINGS, ...ENCODINGS }[writing]!(value);
  const { told, needsSandbox = false, make } = OUTLETS[outlet]!;
  return {
    ...make(text),
    name: `${kind}, ${writing}, by ${outlet}`,
    does: `lets a secret come out by ${outlet}, written as ${writing}`,
    needsSandbox,
    faults: (seen) => foundIn(seen, [value, text], { told, stored: outlet !== "the title" }),
  };
}

function foundIn(seen: Seen, forms: readonly string[], { told, stored }: { told: boolean; stored: boolean }): string[] {
  const { world } = seen.ground;
  const places: Record<string, string> = {
    posted: JSON.stringify(postedOn(seen)),
    ...(told
      ? { "told to the model": JSON.stringify(world.asked.slice(seen.since.asked).map(({ messages }) => messages)) }
      : {}),
    ...(stored ? { stored: storedIn(world) } : {}),
  };
  const written = new Set(forms.map((form) => JSON.stringify(form).slice(1, -1)));
  return Object.entries(places).flatMap(([place, text]) =>
    [...written].some((form) => text.includes(form)) ? [`the secret was ${place}`] : [],
  );
}

/** What Forge knows itself is hidden in whatever way it is written. */
const KNOWN: Secret = { kind: "known", value: MODEL_KEY };

/** Every kind by one outlet, every writing by two: not all by all, which would be a thousand. */
export const redaction: HostileClass = {
  name: "redaction",
  payloads: (seed) => {
    const outlets = Object.keys(OUTLETS);
    const place = (at: number) => outlets[at % outlets.length]!;
    const plain = secretsOf(seed).map((secret, at) => leaked(secret, "plain", place(at)));
    const written = Object.keys(WRITINGS).flatMap((writing, at) => [
      leaked(KNOWN, writing, place(at + 1)),
      leaked(KNOWN, writing, place(at + 4)),
    ]);
    // Nobody told Forge of these: what a program prints is decoded before it is posted, stored or shown.
    const decoded = Object.keys(ENCODINGS).flatMap((writing, at) => {
      const secrets = secretsOf(seed + at + 1);
      return ["an analyser", "a test", "the change"].map((outlet, turn) =>
        leaked(secrets[(at * 3 + turn) % secrets.length]!, writing, outlet),
      );
    });
    return [...plain, ...written, ...decoded];
  },
};
