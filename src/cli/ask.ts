import { relative } from "node:path";
import type { LoopEvent } from "../agents/library.ts";
import { defined } from "../domain/defined.ts";
import { errorFacts } from "../domain/errors.ts";
import { MOST_USD, REVIEW_MINUTES } from "../domain/repo-config.ts";
import { activityWords } from "../github/words/work/activity-words.ts";
import { followActivity } from "../pipeline/ai/follow-activity.ts";
import type { FolderAnswer, FolderQuestion } from "../pipeline/local/ask-folder.ts";
import { plainLine } from "../safety/plain-line.ts";
import { redactStrings } from "../safety/redact-value.ts";
import { USUAL_COLUMNS, wrapColumns } from "./columns.ts";
import { costLine } from "./cost-line.ts";
import { EXIT, UsageError } from "./dispatch.ts";
import { folderNamed } from "./folder-argument.ts";
import { parseOptions } from "./parse-options.ts";
import { counted, createProgress, dollars, lasting, type Output, plainBlock } from "./terminal.ts";

/** GitHub's limit for a comment is far above what anyone asks. */
const MOST_CHARACTERS = 4_000;

/** A limit of nothing would answer nothing. */
const LEAST_USD = 0.01;

/** A wider line is hard to read. */
const WIDEST = 100;

/** `forge ask`: the answer on standard output, progress and cost on standard error. */
export async function runAsk(
  args: readonly string[],
  ask: (question: FolderQuestion) => Promise<FolderAnswer>,
  output: Output,
): Promise<number> {
  const { json, ...asked } = await readArguments(args);
  const progress = showActivity(output);
  let answered: FolderAnswer;
  try {
    answered = redactStrings(await ask({ ...asked, onEvent: progress.heard }), output.redact);
  } catch (error) {
    progress.end();
    output.err.write(output.redact(`forge: could not answer: ${plainLine(errorFacts(error).message, 1_000)}\n`));
    return EXIT.failed;
  }
  progress.end();
  for (const note of answered.notes) output.err.write(`note: ${plainLine(note)}\n`);
  if ("unanswered" in answered) {
    output.err.write(`forge: no answer: ${plainLine(answered.unanswered, 1_000)}\n${costLine(answered.cost)}\n`);
    return EXIT.failed;
  }
  const { text, places, missing } = answered.answer;
  output.out.write(
    json
      ? `${JSON.stringify({ answer: text, places, missing, cost: answered.cost }, null, 2)}\n`
      : `${asText(text, output)}\n`,
  );
  if (missing > 0) {
    const are = missing === 1 ? "place that the model named was" : "places that the model named were";
    output.err.write(`note: ${missing} ${are} not found; the answer marks ${missing === 1 ? "it" : "them"}\n`);
  }
  output.err.write(`${costLine(answered.cost)}\n`);
  return EXIT.ok;
}

async function readArguments(args: readonly string[]) {
  const { values, positionals } = parseOptions(args, {
    allowPositionals: true,
    options: {
      repo: { type: "string", default: "." },
      usd: { type: "string" },
      minutes: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  if (positionals.length !== 1) throw new UsageError('ask takes one question: put it in quotes, "like this?"');
  const question = positionals[0]?.trim() ?? "";
  if (question === "") throw new UsageError("the question is empty");
  if (question.length > MOST_CHARACTERS)
    throw new UsageError(`the question is longer than ${counted(MOST_CHARACTERS, "character")}`);
  const folder = await folderNamed(values.repo, "ask --repo");
  if (folder === undefined) throw new UsageError(`there is no folder ${values.repo}`);
  const usd = between("--usd", values.usd, LEAST_USD, MOST_USD);
  const minutes = between("--minutes", values.minutes, REVIEW_MINUTES.least, REVIEW_MINUTES.most);
  const from = relative(process.cwd(), folder);
  const shown = (path: string) => (from === "" ? path : `${from}/${path}`);
  return { question, folder, shown, json: values.json, ...defined({ usd, minutes }) };
}

function between(option: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (number >= least && number <= most) return number;
  throw new UsageError(`${option} is a number from ${least} to ${most}, not ${JSON.stringify(text)}`);
}

/** The model's Markdown as it is: on a terminal in lines that can be read, without colors. */
function asText(answer: string, { out }: Output): string {
  const whole = plainBlock(answer, "", Number.POSITIVE_INFINITY);
  if (!out.isTTY) return whole;
  const columns = Math.min(out.columns ?? USUAL_COLUMNS, WIDEST);
  let isCode = false;
  const lines = whole.split("\n").flatMap((line) => {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode) return [line];
    const indent = /^ *(?:[-*] |\d{1,3}\. )?/.exec(line)?.[0] ?? "";
    const [first = "", ...rest] = wrapColumns(line.slice(indent.length), columns - indent.length);
    return [`${indent}${first}`, ...rest.map((more) => `${" ".repeat(indent.length)}${more}`)];
  });
  return lines.join("\n");
}

/** The agent's activity on the line of progress, with time and money. */
function showActivity({ err }: Output): { readonly heard: (event: LoopEvent) => void; readonly end: () => void } {
  const progress = createProgress(err);
  const begun = Date.now();
  const follow = followActivity();
  let what = "reading the folder";
  let usd = 0;
  const tick = () => progress.show(what, ` · ${lasting(Date.now() - begun)} · ${dollars(usd)}`);
  const clock = err.isTTY ? setInterval(tick, 1_000) : undefined;
  tick();
  return {
    heard: (event) => {
      if (event.type === "step_ended") usd += event.costUsd;
      const activity = follow(event);
      if (activity) what = activityWords(activity);
      tick();
    },
    end: () => {
      clearInterval(clock);
      progress.end();
    },
  };
}
