import type { BroughtSandbox } from "./bring-sandbox.ts";
import { chapterList } from "./chapter-names.ts";
import type { Expectations } from "./expect.ts";
import { PEOPLE, POSTAGE, SHOP, TALLY } from "./github.ts";
import type { Told } from "./implement/told.ts";
import type { Story } from "./options.ts";
import type { Place } from "./place.ts";
import { countDeliveries, neverAccepted } from "./report.ts";
import type { Screen } from "./screen.ts";
import type { Stage } from "./stage.ts";

/** What stands before the story: who plays, and what is asked of a change. */
export function introduce(
  { github, forge, model, company, chaos }: Stage,
  stories: readonly Story[],
  sandbox: BroughtSandbox | undefined,
  screen: Screen,
): void {
  const repositories = [TALLY, SHOP, ...(company ? [POSTAGE] : [])];
  screen.step("A GitHub on this machine, and Forge next to it");
  screen.say(
    `GitHub  ${github.origin}  simulated, and held to GitHub's own description of its API`,
    `Forge   ${forge.address}  started as next to a GitHub Enterprise, installed on ${new Intl.ListFormat("en").format(repositories)}`,
    `Model   ${model.kind === "scripted" ? SCRIPTED : given(model.chosenBy)}`,
    "The main branches are protected: nothing is merged unless the check forge/review has passed.",
    ...(sandbox ? [`Sandbox ${sandbox.detail}${sandbox.holds ? "." : WITHOUT_SANDBOX}`] : []),
    ...chapterList(stories),
    ...(model.kind === "given" ? [WITHOUT_DEPLOYING] : []),
  );
  if (chaos) {
    const again = screen.paint("cyan", `npm run demo -- ${stories[0]} --chaos --seed ${chaos.seed}`);
    screen.say(`Chaos   Forge's process is killed again and again while it works; the same moments again: ${again}`);
  }
}

const WITHOUT_SANDBOX = ", so that nothing which is written is run, and a person goes on without its tests.";

/** What another model builds has another fault, or none. */
const WITHOUT_DEPLOYING = "Not told: deploy, because it needs the script: npm run demo -- deploy";

const SCRIPTED =
  "none: a script on this machine speaks in a model's place (ANTHROPIC_API_KEY or OPENAI_API_KEY set one, except for deploy)";

function given(names: readonly string[]): string {
  return `yours, from ${names.join(" and ")}: it is sent the code of these repositories, which may cost a dollar`;
}

/** What has to be so at the end, whatever the story was about. */
export function checkBooks({ github }: Stage, { expect }: Expectations): void {
  const { sent } = countDeliveries(github);
  const wrong = github.referee.findings.filter(({ where }) => where === "request");
  expect("webhooks were sent", sent > 0, true);
  const missed = neverAccepted(github).map(({ event, action }) => `${event} ${action ?? ""}`);
  expect("Forge accepts every webhook, those that it missed when they are sent again", missed, []);
  expect("GitHub would have refused no request of Forge", wrong, []);
  expect("the referee saw requests", github.referee.requests > 0, true);
}

/** The last lines: how it went. What did not go as planned is on standard error, so it is visible with `--json` too. */
export function sumUp(screen: Screen, { stage, met, failures, place, seconds }: Outcome): void {
  if (failures.length > 0) {
    const lines = failures.map((failure) => `  ${screen.paint("red", "✗")} ${failure}`);
    process.stderr.write(`\nNot as told:\n${lines.join("\n")}\nForge's log: ${place.logFile}\n`);
    return;
  }
  const { accepted } = countDeliveries(stage?.github);
  screen.step("The end");
  const crashes = stage?.chaos?.crashes.length;
  screen.say(
    `${screen.paint("green", "✓")} All as told: ${met} expectations met in ${seconds.toFixed(1)} s.`,
    `${accepted} webhooks accepted, ${stage?.github.referee.requests} requests made, none that GitHub would have refused.`,
    ...(crashes === undefined
      ? []
      : [`Forge was killed ${crashes} times on the way: nothing was lost, and nothing is there twice.`]),
  );
}

interface Outcome {
  readonly stage: Stage | undefined;
  readonly met: number;
  readonly failures: readonly string[];
  readonly place: Place;
  readonly seconds: number;
}

interface Made {
  /** Pull requests of the shop. */
  readonly opened: readonly number[];
  readonly told: Told;
}

/** For `--stay`: where everything is, and how to go on. On standard error, since it is no part of the story or the report. */
export function sayAddresses({ github, forge, token }: Stage, place: Place, { opened, told }: Made): void {
  const { issue, pull } = told;
  const pages = [
    ...(issue === undefined ? [] : [`${TALLY}/issues/${issue}`]),
    ...(pull === undefined ? [] : [`${TALLY}/pull/${pull}`]),
    ...opened.map((number) => `${SHOP}/pull/${number}`),
  ]
    .map((page) => `  ${github.origin}/${page}`)
    .join("\n");
  const signIns = PEOPLE.map((login) => `  ${forge.address}/auth/login?login=${login}`).join("\n");
  const api = `${github.origin}/api/v3/repos/${SHOP}`;
  process.stderr.write(`
Everything runs until Ctrl-C, and is gone afterwards. Forge: ${forge.address}, its log: ${place.logFile}
To see the issue and the pull requests in a browser, to comment on them and to press their buttons:

${pages}

To see what Forge does on its own page, ${forge.address}/, as one of these people:

${signIns}

To try something as ana, in another terminal:

  export TOKEN=${token}
  git clone http://ana:$TOKEN@${new URL(github.origin).host}/${SHOP}.git
  # change something on a branch \`mine\`, commit, push; then open a pull request and see the check
  curl -sH "Authorization: Bearer $TOKEN" ${api}/pulls -d '{"title": "Mine", "head": "mine", "base": "main"}'
  curl -sH "Authorization: Bearer $TOKEN" ${api}/commits/mine/check-runs
`);
}
