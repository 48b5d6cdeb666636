import { text } from "node:stream/consumers";
import { z } from "zod";
import { readingChild } from "../../analysis/reader/run-reader.ts";
import { startReader } from "../../analysis/reader/start-reader.ts";
import { defined } from "../../domain/defined.ts";
import { ForgeError } from "../../domain/errors.ts";
import { type Actor, type NumberedSubject, type RepositoryRef, Sha, subjectKey } from "../../domain/subjects.ts";
import { lostRefusal } from "../../pipeline/commands/tell-outcome.ts";
import type { DeadJob } from "../../queue/ports.ts";
import { IMPLEMENT_LABEL } from "../create-labels.ts";
import type { StoredDelivery } from "./handle-delivery.ts";
import type { HandlerDependencies } from "./handler-dependencies.ts";
import { membersOf } from "./members-of.ts";
import { actor, RepositoryEvent, repositoryRef } from "./payloads.ts";

/** Whatever the body holds: what is not read by then is not read. */
const LIMITS = { timeoutMs: 60_000, memoryBytes: 1024 * 1024 * 1024, maxOutputBytes: 16 * 1024 };

/** A worker that dies telling people of it, twice, leaves it at the log: that has to end as well. */
const MOST_DEATHS = 3;

/** What is read of a delivery that could not be handled: where it belongs, what was done and by whom. */
const Hints = RepositoryEvent.extend({
  action: z.string().max(100).optional(),
  /** Of the issue or the pull request that it names. */
  number: z.number().int().positive().optional(),
  onPull: z.boolean(),
  label: z.string().max(1_000).optional(),
  comment: z
    .object({ byBot: z.boolean(), id: z.number().int().positive(), thread: z.number().int().positive().optional() })
    .optional(),
  /** An approval, or changes that are asked for. */
  verdict: z.boolean(),
  /** A text in it speaks to Forge. */
  addressed: z.boolean(),
  /** Of the check whose button was pressed, with the App that it belongs to. */
  pressed: z.object({ headSha: Sha, app: z.number().int() }).optional(),
  queued: z.boolean(),
});
type Hints = z.infer<typeof Hints>;

/**
 * Says on the issue or the pull request that a delivery was given up, where somebody waits for what it asks for. Its payload may be what Forge
 * died of, so that it is read once more by a process with limits, and no further than to know whom to tell.
 * @returns why nobody is told; undefined where somebody is
 */
export async function tellOfLost(
  dependencies: HandlerDependencies,
  { guid, event, body }: StoredDelivery,
  dead: DeadJob,
  read: (body: Uint8Array) => Promise<unknown> = readAside,
): Promise<string | undefined> {
  if (dead.deaths > MOST_DEATHS) return "telling of it ended Forge too";
  const found = await read(body).catch((error: unknown) => error as Error);
  if (found instanceof Error) return `it could not be read: ${found.message}`;
  const { data: hints } = Hints.safeParse(found);
  if (!hints) return "its payload does not name where it belongs";
  const by = actor(hints.sender);
  if (by.kind === "bot" && (await dependencies.isSelf(by.login))) return "Forge itself caused it";
  const told = await whoIsTold(dependencies, event, hints, by);
  if (!told) return "nobody waits for it";
  const repository = repositoryRef(hints);
  for (const subject of told.subjects) {
    await dependencies.submit({
      type: "commands.void",
      subject: { ...subject, repository },
      at: dependencies.now(),
      newRunId: dependencies.makeId(),
      source: { kind: "delivery", id: guid },
      by,
      refusal: lostRefusal(told.what, dead),
      ...defined({ thread: told.thread }),
    });
  }
  return undefined;
}

interface ToldOf {
  readonly what: Parameters<typeof lostRefusal>[0];
  readonly subjects: readonly Pick<NumberedSubject, "kind" | "number">[];
  readonly thread?: number | undefined;
}

/** The same events as `HANDLERS` has, without those that ask Forge for nothing, or whose object is looked at again anyway. */
async function whoIsTold(
  dependencies: HandlerDependencies,
  event: string,
  hints: Hints,
  by: Actor,
): Promise<ToldOf | undefined> {
  const { number, onPull, action, label, comment, pressed } = hints;
  const repository = repositoryRef(hints);
  if (event === "check_run" || event === "check_suite") {
    if (!pressed || pressed.app !== dependencies.appId || !PRESSES.has(action ?? "")) return undefined;
    return { what: "button", subjects: await pullsOf(dependencies, repository, pressed.headSha) };
  }
  if (number === undefined) return undefined;
  const subjects = [{ kind: onPull ? "pull_request" : "issue", number } as const];
  if (event === "merge_group") return hints.queued ? { what: "queue", subjects } : undefined;
  if (event === "pull_request") return CHANGES.has(action ?? "") ? { what: "change", subjects } : undefined;
  if (by.kind === "bot") return undefined;
  if (event === "issues") {
    if (onPull) return undefined;
    const isOurs = label?.toLowerCase() === IMPLEMENT_LABEL;
    if (action === "labeled") return isOurs ? { what: "label", subjects } : undefined;
    if (action === "unlabeled" ? !isOurs : action !== "closed") return undefined;
    const active = await dependencies.activeSubjects({
      installationId: repository.installationId,
      repositoryId: repository.id,
    });
    const isAtWork = active.some((one) => subjectKey(one) === subjectKey({ kind: "issue", repository, number }));
    return isAtWork ? { what: "withdrawal", subjects } : undefined;
  }
  if (!comment || comment.byBot || (action !== "created" && action !== "submitted")) return undefined;
  const { thread } = comment;
  const isForForge =
    hints.addressed ||
    thread !== undefined ||
    hints.verdict ||
    (!onPull && (await dependencies.awaitsAnswer({ kind: "issue", repository, number })));
  if (!isForForge) return undefined;
  return {
    what: "comment",
    subjects,
    thread: event === "pull_request_review_comment" ? (thread ?? comment.id) : undefined,
  };
}

const PRESSES: ReadonlySet<string> = new Set(["requested_action", "rerequested"]);
const CHANGES: ReadonlySet<string> = new Set(["opened", "reopened", "ready_for_review", "synchronize", "edited"]);

/** A merge group has no conversation. */
async function pullsOf(dependencies: HandlerDependencies, repository: RepositoryRef, headSha: string) {
  const heads = await dependencies.knownHeads(repository.id, headSha);
  const work = await dependencies.implementationOf(repository.id, { headSha });
  const subjects = [...heads.map(({ subject }) => subject), ...(work ? [work.subject] : [])];
  return subjects
    .flatMap((subject) => (subject.kind === "pull_request" || subject.kind === "issue" ? [subject] : []))
    .slice(0, 1);
}

/** By a process with limits, in the sandbox where there is one. @throws ForgeError `unreadable` */
async function readAside(body: Uint8Array): Promise<unknown> {
  const child = readingChild();
  const args = [...child.args.slice(0, -1), import.meta.filename];
  const { signal } = new AbortController();
  const run = await startReader({ ...child, args, ...LIMITS, input: Buffer.from(body).toString("utf8"), signal });
  if (run.ok) return JSON.parse(run.stdout.toString("utf8"));
  throw new ForgeError("unreadable", `the reading process ended with ${run.signal ?? run.code}`, {
    source: "resource",
  });
}

/** Members of payloads, at whatever depth. */
const MEMBERS: ReadonlySet<string> = new Set(
  "action installation id repository name owner login sender type issue pull_request number label comment review body in_reply_to_id user check_run state check_suite head_sha app merge_group head_ref".split(
    " ",
  ),
);

/** What the process with limits prints: nothing of it is believed before the schema has seen it. @throws Error where it is no JSON object */
export async function hintsOf(body: Uint8Array): Promise<unknown> {
  const read = await membersOf(body, MEMBERS);
  if (!read) throw new Error("no JSON object, or too large");
  // biome-ignore lint/suspicious/noExplicitAny: members of a foreign payload are looked for one by one
  const payload: any = JSON.parse(read.toString("utf8"));
  const { action, installation, repository, sender, issue, pull_request: pull, label, merge_group: group } = payload;
  const said = payload.comment ?? payload.review;
  const check = payload.check_run ?? payload.check_suite;
  const inQueue = /\/pr-(\d{1,9})-[0-9a-f]{40,64}$/.exec(String(group?.head_ref))?.[1];
  return {
    ...{ installation, repository, sender, action },
    number: issue?.number ?? pull?.number ?? (inQueue === undefined ? undefined : Number(inQueue)),
    onPull: Boolean(pull ?? issue?.pull_request ?? group),
    label: label?.name,
    comment: said && {
      byBot: said.user?.type === "Bot",
      id: said.id,
      thread: said.in_reply_to_id ?? undefined,
    },
    verdict: /^(?:approved|changes_requested)$/i.test(String(payload.review?.state)),
    addressed: /[/\uff0f]forge/i.test(String(said?.body ?? "")),
    pressed: check && { headSha: check.head_sha, app: check.app?.id },
    queued: group !== undefined && action === "checks_requested",
  };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await hintsOf(Buffer.from(await text(process.stdin)))));
