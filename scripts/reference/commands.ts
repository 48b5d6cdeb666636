import { COMMAND_NAMES, COMMANDS, type CommandName } from "../../src/domain/commands.ts";
import { COMMAND_WORDS } from "../../src/github/words/command/command-words.ts";
import { capital, table, writtenFrom } from "./table.ts";

const PLACES = {
  pull_request: "Pull requests",
  issue: "Issues",
  work: "Issues, and pull requests that Forge opened for them",
  both: "Issues and pull requests",
  environment: "Issues and pull requests, about an environment",
} as const;

const INTRODUCTION = `# Commands in comments

${writtenFrom("src/domain/commands.ts")} The texts are those of \`/forge help <command>\`.

Start a line of a comment with a command. It works on an issue, in the conversation of a pull request, on a line of the diff, in a thread, and in
the text of a review. Forge reacts with 👀 when it accepts a command, 🚀 when the command has run, and 😕 when it refuses the command. Commands
in code blocks and quotes do nothing. A comment that is edited or deleted before Forge gets to it runs nothing.

Forge asks GitHub for the role of the commenter at that moment. *Push* is GitHub's role *write*. The author of a pull request has no special rights.
`;

const MORE = `## More ways to give a command

- **Findings by ID**: name a finding by its ID or any unambiguous beginning of it. In the finding's own thread, leave the ID out.
- **Dismissals in plain words**: in the thread of a finding, a reply that starts with "false positive", "not an issue", "won't fix", "by design"
  or "accepted" dismisses the finding.
- **Other replies in a thread**: if a model is set up, it reads a reply by a user with triage permission or more. It answers once with what the
  code says, or withdraws the finding. It never withdraws what a program found or a test showed.
- **Secrets and critical security findings** are dismissed one at a time, with push permission and a reason.
- **Reviews answer gates**: an approving review on GitHub is a yes to a high risk or to failing tests, and requested changes are a no.
- **Buttons** on a check, and *Re-run*, do the same as the matching command.
- **Labels**: \`forge:implement\` does what \`/forge implement\` does, and \`forge:skip\` does what \`/forge pause\` does.
`;

/** docs/reference/commands.md. */
export function commandsPage(): string {
  const index = table(
    ["Command", "Role", "What it does"],
    COMMAND_NAMES.map((name) => [
      `[\`/forge ${name}\`](#forge-${name})`,
      COMMAND_WORDS[name].who,
      COMMAND_WORDS[name].does,
    ]),
  );
  return [INTRODUCTION, index, "", MORE, ...COMMAND_NAMES.map(sectionOf)].join("\n");
}

function sectionOf(name: CommandName): string {
  const { does, example, who, more } = COMMAND_WORDS[name];
  return `## /forge ${name}

\`/forge ${COMMANDS[name].usage}\`

${capital(does)}. ${more}

- **Role**: ${who}
- **Where**: ${PLACES[COMMANDS[name].on]}
- **Example**: \`/forge ${example}\`
`;
}
