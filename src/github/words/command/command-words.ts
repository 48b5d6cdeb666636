import type { AnswerOf, CommandName } from "../../../domain/commands.ts";
import type { Subject } from "../../../domain/subjects.ts";
import { testedText } from "../check/tested-summary.ts";
import { foreignCode, type Wording } from "../wording.ts";
import { explanation } from "./explanation.ts";
import { extendedText } from "./extended-text.ts";
import { fixedText } from "./fixed-text.ts";
import { hidingsText } from "./hiding-text.ts";
import { levelText } from "./level-text.ts";
import { memoriesText, rememberedText } from "./memory-text.ts";
import { metricsText } from "./metrics-text.ts";
import { askedText } from "./model-answers.ts";
import { configurationText, costText, historyText } from "./tell-text.ts";

interface Help {
  /** Follows the command and a colon. */
  readonly does: string;
  readonly example: string;
  readonly who: string;
  /** What more there is to know, for `help <command>`. */
  readonly more: string;
}

/** What is said with such an answer; `on` is what was commented on. */
type Say<Facts> = (answer: Facts, wording: Wording, on: Subject["kind"]) => string;

/** The words of a command: in the help, and of its answer, where that has a form of its own. */
type Words<Name extends CommandName> = Help &
  ([AnswerOf<Name>] extends [never] ? { readonly answer?: undefined } : { readonly answer: Say<AnswerOf<Name>> });

/** What each command does, for whom, and as an example that Forge itself understands. */
export const COMMAND_WORDS: { readonly [Name in CommandName]: Words<Name> } = {
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
    answer: ({ findingId, login }, wording) =>
      `\`${findingId}\` is dismissed, as ${foreignCode(login, wording)} said. To take it back: \`/forge undismiss ${findingId}\``,
  },
  implement: {
    does: "have this issue implemented: plan, code, review, tests, pull request",
    example: "implement keep the old endpoint working",
    who: "push",
    more: "On an issue; the label `forge:implement` does the same. Forge reads the issue and its comments at that moment. Text after the command is instructions. Forge posts the plan first. A plan of high risk or cost waits for approval.",
  },
  explain: {
    does: "why a finding was reported, and what became of it",
    example: "explain F-7K2Q",
    who: "read",
    more: "From what is on record: the rule, how sure, when first seen, and who decided what.",
    answer: explanation,
  },
  status: {
    does: "what is going on here",
    example: "status",
    who: "read",
    more: "The run at work, what is open, whether Forge is paused, the limits, and why commands were refused. On an issue: how far the work is, and where. Of a deployment that it has to do with: its step, the verdict with its numbers, what is next, and who can stop it.",
  },
  stop: {
    does: "interrupt the work, or its deployment, after the step in flight",
    example: "stop",
    who: "push",
    more: "Forge keeps what it has. What is deployed already is watched on, and goes back by itself if it gets worse. On a pull request, Forge still reviews the next push; to keep Forge quiet: `/forge pause`.",
  },
  resume: {
    does: "go on with work that was stopped or met a limit",
    example: "resume look at the locking first",
    who: "push",
    more: "Nothing is paid twice. What follows are instructions for what is not done yet. A deployment that was stopped goes on too, for which maintain permission is needed.",
  },
  approve: {
    does: "yes to what the work waits for",
    example: "approve G-1",
    who: "push; maintain where the risk is critical",
    more: "The gate can be left out where only one is open. Of two gates with one number, `/forge approve production G-1` names the one of that environment. What follows is a note for the work: on a plan, what to change in it. The answer counts for what was asked about, and the first one counts.",
  },
  override: {
    does: "pass a check on this head only",
    example: "override forge/review hotfix, see the incident",
    who: "maintain",
    more: "The next push is judged again. The check names the user and the reason. `forge/deploy` is the check of the last deployment from here: passing it deploys nothing and lifts no hold.",
  },
  help: {
    does: "this list, or more about one command",
    example: "help dismiss",
    who: "read",
    more: "`help all` shows options and permissions.",
  },
  plan: {
    does: "only plan this issue, and post the plan",
    example: "plan without a new dependency",
    who: "push",
    more: "On an issue. Nothing is changed; `/forge implement` goes on from there. What follows are instructions.",
  },
  fix: {
    does: "commit the suggested fixes of findings to the branch",
    example: "fix F-7K2Q",
    who: "push",
    more: "Several findings can be named; without any, all that can be fixed; in a finding's own thread, that one. They are checked and become one commit, never over newer pushes, and not on forks. On a pull request that Forge opened, the implementer works on the findings.",
    answer: fixedText,
  },
  test: {
    does: "run the tests that this change asks for",
    example: "test",
    who: "triage",
    more: "In the sandbox, with the packages of the head. The result is in the check `forge/tests`, and on pull requests that Forge did not open in a reply too. Tests run automatically where `review.tests` says so. It ends at the time limit `safety.time.testing`.",
    answer: testedText,
  },
  answer: {
    does: "answer a question that Forge asked",
    example: "answer the one in legacy/",
    who: "push, or the user who was asked",
    more: "The answer is the rest of the line. A plain reply by the user who was asked counts too.",
  },
  reject: {
    does: "no to what the work waits for",
    example: "reject G-1 not on this branch",
    who: "push; maintain where the risk is critical",
    more: "The gate can be left out where only one is open. Of two gates with one number, `/forge reject production G-1` names the one of that environment. The reason is kept with the answer.",
  },
  retry: {
    does: "have a phase done again, or go on after a failure",
    example: "retry testing",
    who: "push",
    more: "Without a phase: from where the work ended; what was not answered in time is asked again. What was committed stays. `forge checkpoints <run>` lists the points to which `retry v12` goes back.",
    answer: restoredText,
  },
  pause: {
    does: "Forge stays quiet here",
    example: "pause",
    who: "triage; maintain with `--repository`",
    more: "Heads get a skipped check. The label `forge:skip` does the same. `--repository`: nothing new is started in the whole repository.",
  },
  ask: {
    does: "a question about the code, answered by a model that only reads",
    example: "ask who calls total() with an empty list?",
    who: "triage",
    more: "The question is the rest of the line. Forge answers it once, from the head of this pull request, and counts against the money for models here.",
    answer: askedText,
  },
  trust: {
    does: "let the AI layer look at an outsider's change",
    example: "trust",
    who: "triage",
    more: "For this pull request and what is pushed to it later. Where the AI layer waited, the head is looked at again at once.",
    answer: ({ because }) => trustedText(because),
  },
  undismiss: {
    does: "take a dismissal back",
    example: "undismiss F-7K2Q",
    who: "the role that the dismissal needs",
    more: "All findings that the dismissal covered are open again, here at once and elsewhere with the next push.",
  },
  unpause: {
    does: "Forge goes on, with the head that is there now",
    example: "unpause",
    who: "triage; maintain with `--repository`",
    more: "`--repository` ends a pause of the whole repository.",
  },
  extend: {
    does: "raise a limit of this run",
    example: "extend usd 2",
    who: "push",
    more: "Up to five times what is configured. `iterations` are model calls of one agent. A run that ended at the limit goes on at once.",
    answer: (answer, _, on) => extendedText(answer, on),
  },
  cost: {
    does: "what models cost here, and what the limits leave",
    example: "cost",
    who: "triage",
    more: "By run, phase and model. Calls at work count with what they may cost at most.",
    answer: ({ cost }, wording, on) => costText(cost, wording, on),
  },
  config: {
    does: "the configuration in force, and where each value comes from",
    example: "config",
    who: "triage",
    more: "Of `.github/forge.yml` on the default branch: a pull request cannot change how it is reviewed.",
    answer: ({ configuration }, wording) => configurationText(configuration, wording),
  },
  untrust: {
    does: "take that back",
    example: "untrust",
    who: "triage",
    more: "From the next review on the AI layer waits again.",
  },
  level: {
    does: "how much Forge may do by itself, and what is missing to more",
    example: "level 2",
    who: "triage; maintain to set it",
    more: "A level above 1 has to be earned: the record of a kind of task carries it, and a person says so. Down at any time; at a miss Forge goes down by itself and says why. `safety.automation_level` caps it. It merges at level 3 and above only where `safety.merge` wants it.",
    answer: ({ facts }, wording) => levelText(facts, wording),
  },
  hide: {
    does: "what learning hides here, and whether it may",
    example: "hide H-7K2Q",
    who: "triage; maintain to have something hidden",
    more: "Forge proposes a class of findings after three dismissals with a reason by two people with push permission; it hides nothing until a maintainer approves. It never hides a secret or a critical security finding. Forge still shows one in twenty as a probe: three that users wanted to see turn the class off.",
    answer: (facts, wording) => hidingsText(facts, wording),
  },
  unhide: {
    does: "ends what learning hides, or turns a proposal down",
    example: "unhide H-7K2Q",
    who: "push",
    more: "From the next review on these findings are shown again.",
  },
  hold: {
    does: "keeps Forge from merging this pull request by itself, or from deploying to an environment",
    example: "hold",
    who: "push; maintain to hold an environment",
    more: "Without an environment: Forge does not merge this pull request until someone comments `/forge unhold`, even after a push; people can still merge it. With `staging` or `production` (maintain permission): Forge deploys nothing there until `/forge release`. A deployment that is running continues; to undo it: `/forge rollback`. The command also cancels a deployment that Forge announced for staging; push permission is enough for that.",
  },
  unhold: {
    does: "lets Forge look again whether it merges this pull request by itself",
    example: "unhold",
    who: "push",
    more: "The time to object starts again.",
  },
  deploy: {
    does: "deploys the newest commit of the default branch, or an earlier one, to staging or production",
    example: "deploy production",
    who: "maintain",
    more: "Without an environment: the first that `deploy` in `.github/forge.yml` names. The commit has to be merged. Commits that were not reviewed and tested as `requires` asks wait for a maintainer's yes. A version is built in the sandbox, goes out in steps and is judged after each. Production always waits for a person's yes. One at a time for each environment; the next one waits.",
  },
  rollback: {
    does: "goes back to the last healthy version",
    example: "rollback production checkout fails",
    who: "maintain",
    more: "What is under way goes back at once, and what has deployed nothing yet ends. A hold or a red check does not prevent it. The environment is held afterwards.",
  },
  release: {
    does: "lifts the hold of an environment",
    example: "release production",
    who: "maintain",
    more: "After a rollback, or after `/forge hold staging` or `/forge hold production`. Nothing is deployed by it; for that: `/forge deploy`.",
  },
  promote: {
    does: "goes on with a step that Forge cannot judge",
    example: "promote production low traffic at night",
    who: "maintain",
    more: "Goes on where there is too little traffic or a source does not answer, never where the version is worse. Forge records the reason. A deployment that Forge announced for staging starts at once.",
  },
  history: {
    does: "the runs here, the newest first",
    example: "history",
    who: "triage",
    more: "When each began, what became of it, and what it cost.",
    answer: ({ history }, wording) => historyText(history, wording),
  },
  remember: {
    does: "teach something that reviews and plans should know",
    example: "remember Amounts are integer cents, see src/money.ts",
    who: "push",
    more: "One sentence on the line, about the code. It holds in this repository as long as the code that it rests on is there: the lines of the thread it is said in, and files that it names. Findings are not silenced by it; for that: `/forge dismiss <finding> <reason> --rule`",
    answer: rememberedText,
  },
  forget: {
    does: "have a memory deleted for good",
    example: "forget M-7K2Q9MD4",
    who: "the user who taught it, or maintain",
    more: "The beginning of its id is enough where it is the only one.",
    answer: ({ memoryId }) => `\`${memoryId}\` is deleted.`,
  },
  memory: {
    does: "what is known here, who taught it, and whether it still holds",
    example: "memory money",
    who: "triage",
    more: "The ten that are believed most, or that are about the words that follow.",
    answer: ({ memories }, wording) => memoriesText(memories, wording),
  },
  metrics: {
    does: "what became of findings and runs in this repository, with its trend",
    example: "metrics",
    who: "triage",
    more: "The last 30 days against the 30 before, from the log alone, each number with what it is of. Findings are followed to the merge.",
    answer: ({ metrics }, wording) => metricsText(metrics, wording),
  },
};

/** What is said to `/forge retry v12`: what goes on, and what was done since and stays. */
function restoredText({ version, phase, lasting }: AnswerOf<"retry">): string {
  return [`Back at \`v${version}\`: ${phase} starts again.`, "", ...lasting.map((one) => `- ${one}`)].join("\n");
}

/** What is said to `/forge trust` where no review follows from it at once. */
function trustedText(because: AnswerOf<"trust">["because"]): string {
  return `The AI layer may look at this pull request now. ${AFTER_TRUST[because]}`;
}

const AFTER_TRUST = {
  not_waiting: "It was not what this head waited for, so nothing is looked at again; for that: `/forge review`",
  at_work: "A review is at work; should its AI layer still wait when it ends: `/forge review`",
  paused: "Forge is paused, so nothing is looked at yet; once only: `/forge review --full`",
  limit: "The limit of reviews is reached; later: `/forge review`",
  closed: "The pull request is closed; it is reviewed when it is reopened.",
} as const;
