import { type BiomeRule, bug, doubt } from "./biome-rule.ts";
import { BUG_RULES } from "./biome-rules-bugs.ts";
import { DOUBT_RULES } from "./biome-rules-doubts.ts";

/** Rules of security, speed and tidiness. */
const OTHERS: readonly BiomeRule[] = [
  {
    ...bug(
      {
        name: "security/noGlobalEval",
        title: "Code injection (eval)",
        cwe: 95,
        remedy: "Parse the text with `JSON.parse`, or call a function instead.",
      },
      "Text is run as code by eval().",
      "Whoever can influence the text runs code with the rights of this program.",
      { runsText: "always" },
      0.85,
    ),
    category: "security",
  },
  {
    ...bug(
      {
        name: "security/noDangerouslySetInnerHtmlWithChildren",
        title: "dangerouslySetInnerHTML with children",
        remedy: "Keep one of the two.",
      },
      "This element has both content and dangerouslySetInnerHTML.",
      "React throws when it renders it.",
      {},
      0.9,
    ),
  },
  {
    ...doubt(
      {
        name: "security/noDangerouslySetInnerHtml",
        title: "Cross-site scripting (XSS): dangerouslySetInnerHTML",
        cwe: 79,
        remedy: "Sanitize it first, for example with DOMPurify.",
      },
      "HTML is put into the page without escaping.",
      "If any of it comes from people, they can run scripts in the pages of others.",
      0.65,
    ),
    category: "security",
  },
  {
    ...doubt(
      { name: "security/noScriptUrl", title: "Script URL (javascript:)", cwe: 79, remedy: "Use an event handler." },
      "This link runs a script.",
      "Script addresses are blocked by content security policies and invite injected code.",
      0.8,
    ),
    category: "security",
  },
  {
    ...bug(
      {
        name: "performance/noUnwantedPolyfillio",
        title: "Compromised script host (polyfill.io)",
        cwe: 829,
        remedy: "Remove the script, or host the polyfills yourself.",
      },
      "A script is loaded from polyfill.io.",
      "That domain changed hands and has delivered malicious code.",
      {},
      0.9,
    ),
    category: "security",
  },
  {
    ...doubt(
      {
        name: "performance/noAccumulatingSpread",
        title: "Spread in a loop (quadratic time)",
        cwe: 407,
        remedy: "Add to the accumulator instead.",
      },
      "Every round copies everything gathered so far.",
      "The time grows with the square of the length.",
      0.7,
    ),
    category: "performance",
  },
  {
    ...doubt(
      { name: "complexity/noUselessCatch", title: "Useless catch", remedy: "Remove the try and catch." },
      "This catch only throws what it caught.",
      "It can go without changing anything.",
      0.8,
    ),
    severity: "info",
    category: "maintainability",
  },
];

/** Every rule that runs, by name. */
export const BIOME_RULES: ReadonlyMap<string, BiomeRule> = new Map(
  [...BUG_RULES, ...DOUBT_RULES, ...OTHERS].map((rule) => [rule.name, rule]),
);

/**
 * Simple lint (SAFE-4): rules that Biome recommends, and whose safe fix leaves what a program does as it is. Of others it is called safe as well
 * and is not: `noUselessContinue` takes the one out of a `finally`, which swallows an error there; `noUselessUndefinedInitialization` that of a
 * `var` in a loop; `noExtraBooleanCast` knows no `Boolean` of the file's own; `noUselessElse` and the like are a matter of taste.
 */
export const SIMPLE_RULES = {
  complexity: ["noUselessRename"],
  style: ["useConst"],
  suspicious: ["noExtraNonNullAssertion"],
} as const;

/** The configuration that makes Biome fix simple lint, and nothing else. */
export function simpleLintConfiguration(): unknown {
  const groups = Object.entries(SIMPLE_RULES).map(([group, names]) => {
    return [group, Object.fromEntries(names.map((name) => [name, "error"]))] as const;
  });
  return lintOnly(Object.fromEntries(groups));
}

/** The configuration that makes Biome run exactly the rules of the table. */
export function biomeLintConfiguration(): unknown {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { name } of BIOME_RULES.values()) {
    const [group = "", rule = ""] = name.split("/");
    groups[group] = {
      ...groups[group],
      [rule]: rule === "noDoubleEquals" ? { level: "error", options: { ignoreNull: true } } : "error",
    };
  }
  const json = { parser: { allowComments: true, allowTrailingCommas: true } };
  return { ...lintOnly(groups), json, files: { maxSize: 4_000_000 } };
}

/** These rules and nothing else. */
function lintOnly(rules: Readonly<Record<string, unknown>>) {
  return {
    root: true,
    vcs: { enabled: false },
    formatter: { enabled: false },
    assist: { enabled: false },
    javascript: { parser: { unsafeParameterDecoratorsEnabled: true } },
    linter: { enabled: true, rules: { preset: "none", ...rules } },
  };
}
