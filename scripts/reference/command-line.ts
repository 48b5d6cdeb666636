import { COMMANDS } from "../../src/cli/commands.ts";
import { commandHelp } from "../../src/cli/help.ts";
import { writtenFrom } from "./table.ts";

const INTRODUCTION = `# Command line

${writtenFrom("src/cli/commands.ts")}

In Forge's folder, run \`npx forge-lifecycle <command>\`. To use Forge from any folder, run \`npm link\` in Forge's folder once: then
\`forge <command>\` works everywhere. The package is not published yet, and on npm the name \`forge\` belongs to a different package: never run
\`npx forge\`. \`forge --help\` lists the commands, and \`forge help <command>\` shows what is below.

\`review\`, \`test\` and \`run\` work on a folder and need no server. \`start\` and \`doctor\` run the server. The others read the database of a server, also
while it runs; name it by \`DATABASE_URL\` or start them in the same folder. Name a run by any unambiguous beginning of its ID, which is at the end of
each check. Exit code 64 means wrong usage, and 70 an error of Forge itself.
`;

/** docs/reference/command-line.md. */
export function commandLinePage(): string {
  const sections = COMMANDS.map(
    (command) => `## forge ${command.name}\n\n\`\`\`text\n${commandHelp(command, "forge")}\`\`\`\n`,
  );
  return [INTRODUCTION, ...sections].join("\n");
}
