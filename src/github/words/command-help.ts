import { COMMAND_NAMES, CommandName } from "../../domain/commands.ts";
import { nearest } from "../../domain/nearest.ts";
import { foreignCode, type Wording } from "./wording.ts";

/** How each command is written. */
export const USAGE: Readonly<Record<CommandName, string>> = {
  review: "review [--full]",
  dismiss: "dismiss <finding> [reason] [--here | --path <glob> | --rule]",
  undismiss: "undismiss <finding>",
  explain: "explain <finding>",
  status: "status",
  override: "override <check> <reason>",
  pause: "pause [--repository]",
  unpause: "unpause [--repository]",
  config: "config",
  stop: "stop",
  resume: "resume [instructions]",
  extend: "extend <usd | iterations | minutes> <n>",
  trust: "trust",
  untrust: "untrust",
  cost: "cost",
  ask: "ask <question>",
  approve: "approve [gate] [note]",
  reject: "reject [gate] [reason]",
  help: "help [all | command]",
};

interface Help {
  readonly does: string;
  readonly example: string;
  readonly who: string;
  /** What more there is to know, for `help <command>`. */
  readonly more: string;
}

const HELP: Readonly<Record<CommandName, Help>> = {
  review: {
    does: "look at this head again, also at a draft",
    example: "review",
    who: "triage",
    more: "`--full` also where Forge is paused, and comments again where it had stopped.",
  },
  dismiss: {
    does: "a finding is wrong or accepted; the check changes at once",
    example: "dismiss F-7K2Q test data",
    who: "triage; push with `--path` or `--rule`, and for secrets and critical security findings",
    more: "`--here` (when nothing is said): this place, in every pull request. `--path <glob>`: this rule under these paths. `--rule`: this rule everywhere. In the finding's own thread the id can be left out. Secrets and critical security findings need a reason and go one by one.",
  },
  undismiss: {
    does: "take a dismissal back",
    example: "undismiss F-7K2Q",
    who: "whoever could give it",
    more: "All findings that the dismissal covered are open again, here at once and elsewhere with the next push.",
  },
  explain: {
    does: "why a finding was reported, and what became of it",
    example: "explain F-7K2Q",
    who: "read",
    more: "From what is on record: the rule, how sure, when first seen, and who decided what.",
  },
  status: {
    does: "what is going on here",
    example: "status",
    who: "read",
    more: "The run at work, what is open, whether Forge is paused, the limits, and why commands were refused.",
  },
  override: {
    does: "pass a check on this head only",
    example: "override forge/review hotfix, see the incident",
    who: "maintain",
    more: "The next push is judged anew. Who did it and why stands in the check.",
  },
  pause: {
    does: "Forge leaves this pull request alone",
    example: "pause",
    who: "triage; maintain with `--repository`",
    more: "Heads get a skipped check. The label `forge:skip` does the same. `--repository`: nothing new is started in the whole repository.",
  },
  unpause: {
    does: "Forge goes on, with the head that is there now",
    example: "unpause",
    who: "triage; maintain with `--repository`",
    more: "`--repository` ends a pause of the whole repository.",
  },
  config: {
    does: "the configuration in force, and where each value comes from",
    example: "config",
    who: "triage",
    more: "Of `.github/forge.yml` on the default branch: a pull request cannot change how it is reviewed.",
  },
  stop: {
    does: "interrupt the review after its step in flight",
    example: "stop",
    who: "push",
    more: "What it has is kept. The next push is reviewed all the same; to keep Forge quiet: `/forge pause`.",
  },
  resume: {
    does: "go on with a review that was stopped or met a limit",
    example: "resume look at the locking first",
    who: "push",
    more: "Nothing is paid twice. Instructions reach the readers that have not finished.",
  },
  extend: {
    does: "raise a limit of this review",
    example: "extend usd 2",
    who: "push",
    more: "Up to five times what is configured. `iterations` are model calls of one reader. A review that ended at the limit goes on at once.",
  },
  trust: {
    does: "let the AI layer look at an outsider's change",
    example: "trust",
    who: "triage",
    more: "For this pull request and what is pushed to it later. Where the AI layer waited, the head is looked at again at once.",
  },
  untrust: {
    does: "take that back",
    example: "untrust",
    who: "triage",
    more: "From the next review on the AI layer waits again.",
  },
  cost: {
    does: "what models cost here, and what the limits leave",
    example: "cost",
    who: "triage",
    more: "By run, phase and model. Calls at work count with what they may cost at most.",
  },
  ask: {
    does: "a question about the code, answered by a model that only reads",
    example: "ask who calls total() with an empty list?",
    who: "triage",
    more: "The question is what stands on the line. It is answered once, from the head of this pull request, and counts against the money for models here.",
  },
  approve: {
    does: "yes to what a review waits for; it goes on with exactly that",
    example: "approve G-1",
    who: "push; maintain where the risk is critical",
    more: "The gate can be left out where only one is open. What follows is a note that the reviewer gets. The answer counts for the head that was asked about, and the first one counts.",
  },
  reject: {
    does: "no to what a review waits for; it goes on without",
    example: "reject G-1 not on this branch",
    who: "push; maintain where the risk is critical",
    more: "The gate can be left out where only one is open. The reason is told to the reviewer.",
  },
  help: {
    does: "this list, or more about one command",
    example: "help dismiss",
    who: "read",
    more: "`help all` shows options and permissions.",
  },
};

/** Commands of the short list. */
const SHOWN = 10;

/** `/forge help`: the most needed commands, each with an example; with `all` every one with options and permissions; or one command alone. */
export function helpText(topic: string | undefined, wording: Wording): string {
  const known = CommandName.safeParse(topic);
  if (known.success) return oneCommand(known.data);
  if (topic === "all") return COMMAND_NAMES.map(oneCommand).join("\n\n");
  const rows = COMMAND_NAMES.slice(0, SHOWN).map((name) => `| \`/forge ${HELP[name].example}\` | ${HELP[name].does} |`);
  const list = [
    "| for example | what it does |",
    "|---|---|",
    ...rows,
    "",
    "A command stands at the beginning of a line. More commands, options and permissions: `/forge help all`",
  ].join("\n");
  if (topic === undefined) return list;
  const near = nearest(topic, COMMAND_NAMES, 3);
  const hint = near ? ` Did you mean \`/forge help ${near}\`?` : "";
  return `${foreignCode(topic, wording)} is no command.${hint}\n\n${list}`;
}

function oneCommand(name: CommandName): string {
  const { does, example, who, more } = HELP[name];
  return `**\`/forge ${USAGE[name]}\`**: ${does}. For example \`/forge ${example}\`. Who may: ${who}.\n${more}`;
}
