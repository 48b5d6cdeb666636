import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { Feedback, PullSignal } from "../../domain/implementation.ts";
import { type Redact, redactAside } from "../../safety/redact.ts";
import { FAILED_CHECK, FAILED_STATUS } from "../handlers/check.ts";
import type { Read } from "../reader.ts";
import { keep } from "./read-snapshot.ts";

export interface CiDependencies {
  readonly checks: Read;
  readonly statuses: Read;
  readonly readLog: (jobId: number) => Promise<string | undefined>;
  readonly redact: Redact;
}

type CiSignal = Extract<PullSignal, { from: "ci" }>;

const ACTIONS = "github-actions";
const MESSAGE_CHARACTERS = 16_000;
/** Annotations of a check that are told: those of level failure first. */
const ANNOTATIONS = 30;

const CheckRun = z.object({
  head_sha: z.string(),
  conclusion: z.string().nullish(),
  output: z.object({ title: z.string().nullish(), summary: z.string().nullish(), text: z.string().nullish() }),
});
const Annotation = z.object({
  path: z.string(),
  start_line: z.number().int(),
  annotation_level: z.string().nullish(),
  message: z.string().nullish(),
});
const Statuses = z.object({
  statuses: z.array(
    z.object({ id: z.number().int(), context: z.string(), state: z.string(), description: z.string().nullish() }),
  ),
});

/**
 * What failed in the project's CI: for a job of GitHub Actions the part of its log that shows it, for other checks what they put out, for a
 * status its description (GH-5). Nothing when it does not fail any more.
 */
export async function readCiFeedback(dependencies: CiDependencies, said: CiSignal): Promise<readonly Feedback[]> {
  const found =
    said.checkRunId === undefined
      ? await readStatus(dependencies, said)
      : await readCheck(dependencies, said, said.checkRunId);
  if (!found) return [];
  const { name, conclusion, url } = said;
  const told = found.text.trim() === "" ? `${name} ended with ${conclusion} and says no more.` : found.text;
  const { redact } = dependencies;
  const message = keepEnd(await redactAside(told.toWellFormed(), redact));
  return [{ from: "ci", id: found.id, name: (await keep(name, 200, redact)).text, message, ...defined({ url }) }];
}

async function readCheck({ checks, readLog }: CiDependencies, { app, headSha }: CiSignal, id: number) {
  const route = "GET /repos/{owner}/{repo}/check-runs/{check_run_id}";
  const place = { check_run_id: id };
  const check = await checks(CheckRun, route, place);
  if (check?.head_sha !== headSha || !FAILED_CHECK.includes(check.conclusion ?? "")) return undefined;
  // A job has the number of its check-run.
  const log = app === ACTIONS ? await readLog(id) : undefined;
  if (log !== undefined) return { id: `J${id}`, text: log };
  const annotations = (await checks(z.array(Annotation), `${route}/annotations`, { ...place, per_page: 100 })) ?? [];
  const rank = (level: string | null | undefined) => (level === "failure" ? 0 : 1);
  const worst = annotations
    .toSorted((a, b) => rank(a.annotation_level) - rank(b.annotation_level))
    .slice(0, ANNOTATIONS);
  const lines = worst.map(({ path, start_line: line, message }) => `${path}:${line}: ${message ?? ""}`);
  const { title, summary, text } = check.output;
  return { id: `J${id}`, text: [title, summary, text, lines.join("\n")].filter((part) => part?.trim()).join("\n\n") };
}

async function readStatus({ statuses }: CiDependencies, { headSha, name }: CiSignal) {
  const found = await statuses(Statuses, "GET /repos/{owner}/{repo}/commits/{ref}/status", {
    ref: headSha,
    per_page: 100,
  });
  const status = found?.statuses.find(({ context }) => context === name);
  if (!status || !FAILED_STATUS.includes(status.state)) return undefined;
  return { id: `S${status.id}`, text: status.description ?? "" };
}

/** Of output the end tells most. */
function keepEnd(text: string): string {
  return text.length <= MESSAGE_CHARACTERS ? text : text.slice(-MESSAGE_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, "");
}
