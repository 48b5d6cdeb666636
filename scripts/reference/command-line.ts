import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { RUN_USAGE } from "../../src/cli/dispatch.ts";
import { capital, writtenFrom } from "./table.ts";

const SOURCE = "src/main.ts";

const INTRODUCTION = `# Command line

${writtenFrom(SOURCE)}

In Forge's folder, run \`npx forge <command>\`. From anywhere else, run \`node <folder of Forge>/bin/forge.mjs <command>\`. The package is not on
npm, and the name \`forge\` belongs to another package there: do not run \`npx forge\` outside of Forge's folder. Each command has \`--help\`.

\`review\`, \`test\` and \`run\` work on a folder and need no server. \`start\` and \`doctor\` run the server. The others read the database of a server, also
while it runs; name it by \`DATABASE_URL\` or start them in the same folder. Name a run by any unambiguous beginning of its ID, which is at the end of
each check. Exit code 64 means wrong usage, and 70 an error of Forge itself.
`;

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly name?: string;
  readonly key?: Node;
  readonly properties?: readonly Node[];
  readonly elements?: readonly Node[];
  readonly id?: Node;
  readonly init?: Node;
  readonly declarations?: readonly Node[];
}

/** docs/reference/command-line.md. */
export function commandLinePage(): string {
  const { program } = parseSync(SOURCE, readFileSync(SOURCE, "utf8"));
  const declared = (program.body as unknown as Node[]).flatMap(({ declarations = [] }) => declarations);
  const list = declared.find(({ id }) => id?.name === "commands")?.init?.elements ?? [];
  const sections = list.map(({ properties = [] }) => {
    const member = (name: string) => properties.find(({ key }) => key?.name === name)?.value as Node | undefined;
    const words = (name: string) => String(member(name)?.name === "RUN_USAGE" ? RUN_USAGE : member(name)?.value);
    const more = (member("more")?.elements ?? []).map(({ value }) => String(value));
    const help = more.length === 0 ? "" : `\n\`\`\`text\n${more.join("\n").replace(/^\n/, "")}\n\`\`\`\n`;
    return `## forge ${words("name")}\n\n\`forge ${words("usage")}\`\n\n${capital(words("does"))}.\n${help}`;
  });
  return [INTRODUCTION, ...sections].join("\n");
}
