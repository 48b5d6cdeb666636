// `npm run demo`: a GitHub on this machine, Forge next to it, and three stories to follow.
import { once } from "node:events";
import { bringSandbox } from "./bring-sandbox.ts";
import { chapterName } from "./chapter-names.ts";
import { tellDeployment } from "./deploy/tell-deployment.ts";
import { createExpectations, StoryFailed } from "./expect.ts";
import { checkBooks, introduce, sayAddresses, sumUp } from "./frame.ts";
import { tellImplementation } from "./implement/tell-implementation.ts";
import type { Told } from "./implement/told.ts";
import { startLifetime } from "./lifetime.ts";
import { choosingIn } from "./model/demo-model.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import type { Place } from "./place.ts";
import { makeReport } from "./report.ts";
import { createScreen } from "./screen.ts";
import { showSetUp } from "./set-up.ts";
import { type Stage, setStage } from "./stage.ts";
import { tellReviews } from "./story.ts";
import type { Verdict } from "./verdict.ts";

const EXIT = { asTold: 0, failed: 1, usage: 64 } as const;

const TELL = { implement: tellImplementation, review: tellReviews, deploy: tellDeployment } as const;

async function run({ stories: wanted, seed, json, stay }: Options): Promise<number> {
  // The third story is played by the script: what another model builds has another fault, or none.
  const environment = wanted.every((story) => story === "deploy") ? {} : process.env;
  const stories = choosingIn(environment).length === 0 ? wanted : wanted.filter((story) => story !== "deploy");
  const lifetime = await startLifetime();
  const { place, signal } = lifetime;
  const screen = createScreen({ quiet: json });
  const expectations = createExpectations();
  const opened: number[] = [];
  const verdicts: Verdict[] = [];
  const refuted: string[] = [];
  const told: Told = {};
  let stage: Stage | undefined;
  let broken: string | undefined;
  try {
    screen.progress("A GitHub and Forge are starting …");
    const sandbox = await bringSandbox();
    stage = await setStage(lifetime, { stories, environment, seed, screen });
    introduce(stage, stories, sandbox, screen);
    for (const story of stories) {
      screen.chapter(chapterName(story));
      await TELL[story]({ stage, screen, expectations, opened, verdicts, refuted, told });
    }
    checkBooks(stage, expectations);
  } catch (error) {
    broken = explain(error);
  }
  const interrupted = signal.aborted;
  const failures = [...expectations.failures(), ...(broken === undefined ? [] : [broken])];
  const hasFailed = failures.length > 0;
  screen.progress("");
  if (!interrupted) {
    const seconds = performance.now() / 1000;
    sumUp(screen, { stage, met: expectations.met(), failures, place, seconds });
    if (json)
      process.stdout.write(
        `${JSON.stringify(makeReport(stage, { opened, verdicts, refuted, told, failures, seconds }), null, 2)}\n`,
      );
    if (stay && stage && broken === undefined) await waitForInterrupt(stage, place, { opened, told }, signal);
  }
  await lifetime.end({ keepLog: hasFailed && !interrupted });
  if (interrupted) return lifetime.interruptedWith() ?? EXIT.failed;
  return hasFailed ? EXIT.failed : EXIT.asTold;
}

/** Until Ctrl-C, which is its end as it should be. */
async function runSetUp(): Promise<number> {
  const lifetime = await startLifetime();
  let broken: string | undefined;
  try {
    await showSetUp(lifetime, createScreen({ quiet: false }));
  } catch (error) {
    if (!lifetime.signal.aborted) broken = explain(error);
  }
  if (broken !== undefined) process.stderr.write(`\nNot as told:\n${broken}\nForge's log: ${lifetime.place.logFile}\n`);
  await lifetime.end({ keepLog: broken !== undefined });
  return broken === undefined ? EXIT.asTold : EXIT.failed;
}

async function waitForInterrupt(
  stage: Stage,
  place: Place,
  made: { readonly opened: readonly number[]; readonly told: Told },
  signal: AbortSignal,
): Promise<void> {
  sayAddresses(stage, place, made);
  const interrupt = signal.aborted ? undefined : once(signal, "abort");
  await Promise.race([interrupt, stage.forge.died]).catch((error: Error) => process.stderr.write(`${error.message}\n`));
}

/** What ended the story before its time, for people where it is known, and as it is where it is a bug. */
function explain(error: unknown): string {
  if (error instanceof StoryFailed) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const options = readOptions(process.argv.slice(2));
if ("help" in options) process.stdout.write(USAGE);
else if ("wrong" in options) process.stderr.write(`${options.wrong}\n\n${USAGE}`);
if ("help" in options) process.exitCode = EXIT.asTold;
else if ("wrong" in options) process.exitCode = EXIT.usage;
else process.exitCode = "setUp" in options ? await runSetUp() : await run(options);
