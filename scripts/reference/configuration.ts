import { configurationSchema } from "../write-config-schema.ts";
import { table, writtenFrom } from "./table.ts";

/** What this page uses of JSON Schema. */
interface Setting {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Setting[];
  readonly items?: Setting;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Setting>>;
  readonly additionalProperties?: Setting | boolean;
}

const INTRODUCTION = `# Configuration of a repository

${writtenFrom("src/domain/repo-config.ts")} [forge.schema.json](../../forge.schema.json) has the same in a form for editors.

Put the settings in \`.github/forge.yml\` on the default branch. Everything is optional. Three layers count, key by key, and a list counts as a whole:

1. \`.github/forge.yml\` on the default branch of the repository
2. the same file in the owner's repository named \`.github\`, if the App is installed on it
3. the defaults below

A pull request cannot change how it is reviewed, because only the default branch counts. A mistake in a pull request's version of the file is a
finding on its line. A mistake on the default branch is named in every summary, and the last valid version stays in force. To see the settings in
force and where each comes from, comment \`/forge config\`.

**Completion in editors.** Editors with a YAML language server read the schema if this is the first line of the file:

\`\`\`yaml
# yaml-language-server: $schema=https://raw.githubusercontent.com/<owner>/<this repository>/main/forge.schema.json
\`\`\`

In VS Code you can set it for all repositories: \`"yaml.schemas": { "<the same address>": ".github/forge.yml" }\`.

**Globs** match whole paths. \`*\` and \`?\` never match a slash, and \`**\` matches any folders. \`[a-z]\`, \`[!a]\`, \`{ts,tsx}\` and a backslash before a
literal character work as usual. Forge refuses groups such as \`+(a|b)\`, ranges such as \`{1..9}\`, more than 300 characters, and more than 100
combinations of braces, and names the line.
`;

/** docs/reference/configuration.md. */
export function configurationPage(): string {
  const { properties = {} } = configurationSchema() as Setting;
  const sections = Object.entries(properties).map(([name, setting]) => {
    const rows = leavesOf(setting, name).map(([path, leaf, required]) => [
      `\`${path}\``,
      valuesOf(leaf),
      required ? "required" : defaultOf(leaf),
      leaf.description ?? "",
    ]);
    return `## ${name}\n\n${setting.description}\n\n${table(["Key", "Values", "Default", "Meaning"], rows)}\n`;
  });
  return [INTRODUCTION, ...sections].join("\n");
}

type Leaf = readonly [path: string, setting: Setting, required: boolean];

function leavesOf(setting: Setting, path: string, required = false): readonly Leaf[] {
  const { properties = {}, required: needed = [] } = setting;
  const below = Object.entries(properties);
  if (below.length > 0)
    return below.flatMap(([name, each]) => leavesOf(each, `${path}.${name}`, needed.includes(name)));
  const { items } = setting;
  // What one entry of a list holds.
  const own: Leaf = [path, setting, required];
  return items?.properties ? [own, ...leavesOf(items, `${path}[]`)] : [own];
}

function valuesOf(setting: Setting): string {
  const { type, enum: words, anyOf, items, minimum, exclusiveMinimum, maximum } = setting;
  if (words) return words.map((word) => `\`${word}\``).join(", ");
  if (anyOf) return [...new Set(anyOf.map(valuesOf))].join(" or ");
  if (type === "array")
    return items?.type === "object"
      ? "a list; the rows with `[]` are the keys of an entry"
      : `a list of ${items ? valuesOf(items) : "anything"}`;
  if (type === "object") {
    const { additionalProperties: value } = setting;
    return typeof value === "object" ? `a map; each value is ${valuesOf(value)}` : "a map";
  }
  if (type === "string") return "text";
  if (type === "boolean") return "`true`, `false`";
  const least = minimum ?? exclusiveMinimum;
  const most = maximum === undefined || maximum > 1e9 ? undefined : maximum;
  const kind = type === "integer" ? "a whole number" : "a number";
  if (least !== undefined && most !== undefined) return `${kind}, ${least} to ${most}`;
  if (least !== undefined && least > -1e9)
    return exclusiveMinimum === undefined ? `${kind} from ${least}` : `${kind} above ${least}`;
  return kind;
}

function defaultOf({ default: value }: Setting): string {
  return value === undefined ? "not set" : `\`${JSON.stringify(value)}\``;
}
