import { DEFINITION_RULES } from "../../src/analysis/patterns/definitions/rules.ts";
import { PYTHON_RULES } from "../../src/analysis/patterns/python/rules.ts";
import type { Setting, Sink } from "../../src/analysis/patterns/row.ts";
import { RULES } from "../../src/analysis/patterns/rules/all-rules.ts";

const HEAD = `# Insecure code that Forge finds by itself

This page is written from the tables in \`src/analysis/patterns/rules/\` by \`npm run docs:patterns\`; a test fails when it is stale.

The analyser reads JavaScript and TypeScript, of Python what is told under \`python\`, and settings of Dockerfiles (\`docker\`) and of
\`serverless.yml\` and CloudFormation (\`serverless\`): one parse and one walk a file, values followed back from where they do harm to where they
come from, through assignments, destructuring, texts, calls and returns, of the file and of up to four files of the repository that import
each other. Input that is certain to come from outside is an
error or a warning; a parameter, whose origin nobody can see, is a remark and never blocks; a constant is nothing. A check on every way
to the place (a schema, a list, a number, an encoding) silences it.

A rule about a method applies where its receiver comes from that library: by an import, a constructor, a function that makes it, the
parameter of a known handler, or a declared type. If only the name speaks for it, the finding is a warning at most and never blocks.
[silence.md](silence.md) judges what blocks in packages that many projects use.

## Adding a rule

A rule is a row of a table; nothing else has to be known. \`src/analysis/patterns/row.ts\` describes each field.

1. Choose the file by theme. A **sink** is a place where foreign input does harm: name what is called (\`calls\`), assigned (\`writes\`) or
   set as an attribute (\`attributes\`), which argument is dangerous, and the \`danger\`, which decides what makes input harmless. A
   **setting** is wrong by itself: \`calls\` or \`properties\`, and \`when\` with the argument, the option and the values.
2. Names: \`child_process:exec|execSync\` is of a package, however it is imported; \`pg:..query\` is anything below what the package makes;
   \`document.write\` is a global; \`*.query\` is of whatever, with \`on\` only where what stands before the last dot is named so;
   \`*!.innerHTML\` is a name that proves what it is of; \`?exec\` is a global that proves nothing;
   \`@response..send\` is of what a handler is given.
3. Write \`wrong\`, which has to be found, \`right\`, which has to be silent, the CWE, and three sentences in \`words\`.
4. \`npx vitest run test/analysis/patterns.test.ts\` runs the examples; \`npm run docs:patterns\` writes this page;
   \`npm run measure:patterns\` says what it does on the corpus.

Where input comes from, what handlers are given and what makes input harmless are tables of the same kind, in \`rules/sources.ts\`. Rows of
Python stand in \`python/rules.ts\`, in the same shape: named arguments are an object, the last of the list. Rows of Dockerfiles and of
definitions stand in \`definitions/rules.ts\`: \`RUN\` is called for each command of a shell, \`ENV\` and \`ARG\` for each pair, and what YAML
says are properties.
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
    return `- **${what}**${remote ? "" : " (of somebody at the machine)"}: ${names.join(", ")}`;
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
    `### ${id}\n`,
    `**${title}** (CWE-${cwe}), ${severity}. ${what} ${words.attack} ${words.mend}\n`,
    example("Wrong", first.wrong),
    example("Right", first.right),
  ].join("\n");
}
