// `npm run demo`: a GitHub on this machine, Forge beside it, and a story to follow.
import { once } from "node:events";
import { parseArgs } from "node:util";
import { createExpectations, StoryFailed } from "./expect.ts";
import { checkBooks, introduce, sayAddresses, sumUp } from "./frame.ts";
import { startLifetime } from "./lifetime.ts";
import type { Place } from "./place.ts";
import { makeReport } from "./report.ts";
import { createScreen } from "./screen.ts";
import { type Stage, setStage } from "./stage.ts";
import { tellStory } from "./story.ts";
import type { Verdict } from "./verdict.ts";

const EXIT = { asTold: 0, failed: 1, usage: 64 } as const;

const USAGE = `usage: npm run demo [-- [--json] [--stay]]

Starts a GitHub and Forge on this machine, lets Forge review pull requests, shows what people see, and ends.

  --json   tell nothing, print one JSON object at the end
  --stay   keep everything running afterwards, until Ctrl-C
`;

interface Options {
  readonly json: boolean;
  readonly stay: boolean;
}

async function run({ json, stay }: Options): Promise<number> {
  const lifetime = await startLifetime();
  const { place, signal } = lifetime;
  const screen = createScreen({ quiet: json });
  const expectations = createExpectations();
  const opened: number[] = [];
  const verdicts: Verdict[] = [];
  const refuted: string[] = [];
  let stage: Stage | undefined;
  let broken: string | undefined;
  try {
    screen.progress("A GitHub and Forge are starting …");
    stage = await setStage(lifetime);
    introduce(stage, screen);
    await tellStory({ stage, screen, expectations, opened, verdicts, refuted });
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
        `${JSON.stringify(makeReport(stage, { opened, verdicts, refuted, failures, seconds }), null, 2)}\n`,
      );
    if (stay && stage && broken === undefined) await waitForInterrupt(stage, place, opened, signal);
  }
  await lifetime.end({ keepLog: hasFailed && !interrupted });
  if (interrupted) return lifetime.interruptedWith() ?? EXIT.failed;
  return hasFailed ? EXIT.failed : EXIT.asTold;
}

async function waitForInterrupt(
  stage: Stage,
  place: Place,
  opened: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  sayAddresses(stage, place, opened);
  const interrupt = signal.aborted ? undefined : once(signal, "abort");
  await Promise.race([interrupt, stage.forge.died]).catch((error: Error) => process.stderr.write(`${error.message}\n`));
}

/** What ended the story before its time, for people where it is known, and as it is where it is a bug. */
function explain(error: unknown): string {
  if (error instanceof StoryFailed) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function readOptions(args: readonly string[]): Options | number {
  try {
    const options = {
      json: { type: "boolean" },
      stay: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    } as const;
    const { json = false, stay = false, help = false } = parseArgs({ args: [...args], options }).values;
    if (!help) return { json, stay };
    process.stdout.write(USAGE);
    return EXIT.asTold;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    return EXIT.usage;
  }
}

const options = readOptions(process.argv.slice(2));
process.exitCode = typeof options === "number" ? options : await run(options);
