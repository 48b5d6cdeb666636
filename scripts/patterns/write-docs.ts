import { DEFINITION_RULES } from "../../src/analysis/patterns/definitions/rules.ts";
import { PYTHON_RULES } from "../../src/analysis/patterns/python/rules.ts";
import type { Setting, Sink } from "../../src/analysis/patterns/row.ts";
import { RULES } from "../../src/analysis/patterns/rules/all-rules.ts";

const HEAD = `# Insecure code that Forge finds by itself

This page is written from the tables in \`src/analysis/patterns/rules/\` by \`npm run docs:patterns\`; a test fails when it is stale.

The analyzer reads JavaScript and TypeScript, the parts of Python listed under \`python\`, and settings in Dockerfiles (\`docker\`),
\`serverless.yml\` and CloudFormation (\`serverless\`). It parses and walks each file once. It follows a value back from the place where it does
harm to its origin: through assignments, destructuring, strings, calls and returns, in the file and in up to four files of the repository
that import each other. Input that certainly comes from outside is an error or a warning. A parameter, whose origin is unknown, is a remark and
never blocks. A constant is not reported. A check on every path to the place (a schema, a list, a number, an encoding) silences the finding.

A rule about a method applies if its receiver comes from that library: from an import, a constructor, a function that returns it, the
parameter of a known handler, or a declared type. If only the name suggests it, the finding is at most a warning and never blocks.
[silence.md](silence.md) judges what blocks in packages that many projects use.

## Adding a rule

A rule is a row in a table, and needs nothing else. \`src/analysis/patterns/row.ts\` describes each field.

1. Choose the file by theme. A **sink** is a place where untrusted input does harm. Name what is called (\`calls\`), assigned (\`writes\`) or
   set as an attribute (\`attributes\`), which argument is dangerous, and the \`danger\`, which decides what makes input harmless. A
   **setting** is wrong by itself: give \`calls\` or \`properties\`, and \`when\` with the argument, the option and the values.
2. Names:
   - \`child_process:exec|execSync\` belongs to a package, however it is imported.
   - \`pg:..query\` is anything reached from what the package returns.
   - \`document.write\` is a global.
   - \`*.query\` matches any receiver, or with \`on\` only receivers with that name.
   - \`*!.innerHTML\` is a name that proves what it belongs to, and \`?exec\` is a global that proves nothing.
   - \`@response..send\` belongs to what a handler receives.
3. Write \`wrong\`, which must be found, \`right\`, which must not be, the CWE, and three sentences in \`words\`.
4. \`npx vitest run test/analysis/patterns.test.ts\` runs the examples, \`npm run docs:patterns\` writes this page, and
   \`npm run measure:patterns\` measures the rule on the corpus.

The sources of input, the parameters of handlers, and the checks that make input harmless are tables of the same kind, in
\`rules/sources.ts\`. The rows for Python are in \`python/rules/\` and have the same shape: named arguments are an object, the last of the
list. The rows for Dockerfiles and service definitions are in \`definitions/rules.ts\`: \`RUN\` is a call for each shell command, \`ENV\` and
\`ARG\` are a call for each pair, and YAML keys are properties.
`;

/** Of themes that are not about scripts. */
const LANGUAGES: Readonly<Record<string, string>> = { python: "python", docker: "dockerfile", serverless: "yaml" };

/** The page about all rules. */
export function patternDocs(): string {
  const rows: (Sink | Setting)[] = [RULES, PYTHON_RULES, DEFINITION_RULES].flatMap(({ sinks, settings }) => [
    ...sinks,
    ...settings,
  ]);
  const byId = Map.groupBy(rows, ({ id }) => id);
  const byTheme = Map.groupBy([...byId], ([id]) => id.slice(0, id.indexOf("/")));
  const themes = [...byTheme]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([theme, ids]) => `## ${theme}\n\n${ids.map(([id, same]) => section(id, same)).join("\n")}`);
  const sources = [...RULES.sources, ...PYTHON_RULES.sources].map(({ what, values, remote }) => {
    const names = values
      .trim()
      .split(/\s+/)
      .map((name) => `\`${name.replaceAll("|", " ")}\``);
    return `- **${what}**${remote ? "" : " (from a person or program on the same machine)"}: ${names.join(", ")}`;
  });
  return `${HEAD}\n## Where input comes from\n\n${sources.join("\n")}\n\n${themes.join("\n")}`;
}

function section(id: string, rows: readonly (Sink | Setting)[]): string {
  const [first] = rows;
  if (first === undefined) return "";
  const { title, words, cwe, severity } = first;
  const what = "danger" in first ? `Input ${words.what}.` : words.what;
  const example = (name: string, text: string) =>
    `${name}:\n\n\`\`\`${LANGUAGES[id.slice(0, id.indexOf("/"))] ?? "tsx"}\n${text}\n\`\`\`\n`;
  return [
    `### \`${id}\`\n`,
    `**${title}** (CWE-${cwe}), ${severity}. ${what} ${words.attack} ${words.mend}\n`,
    example("Wrong", first.wrong),
    example("Right", first.right),
  ].join("\n");
}
