import { z } from "zod";
import { defined } from "../../domain/defined.ts";
import type { ProductionFeedback, StackFrame } from "../../domain/production-feedback.ts";
import { type Clean, cleanTime, cleanUrl } from "./clean-text.ts";
import { fingerprintOf, shortHash } from "./fingerprint.ts";

/** What a sender told, and of which of its projects. */
export interface Told {
  readonly project: string;
  readonly feedback: ProductionFeedback;
}

const maybe = z.unknown().optional();
const Frame = z.looseObject({
  function: maybe,
  filename: maybe,
  abs_path: maybe,
  file: maybe,
  lineno: maybe,
  line: maybe,
  in_app: maybe,
});
const Frames = z.array(Frame).max(500).catch([]);

const SentryEvent = z.looseObject({
  event_id: maybe,
  issue_id: maybe,
  project: maybe,
  project_slug: maybe,
  release: maybe,
  web_url: maybe,
  title: maybe,
  datetime: maybe,
  exception: z
    .object({
      values: z
        .array(
          z.looseObject({ type: maybe, value: maybe, stacktrace: z.object({ frames: Frames }).nullish().catch(null) }),
        )
        .max(50),
    })
    .nullish()
    .catch(null),
});

const SentryIssue = z.looseObject({
  id: z.union([z.string(), z.number()]),
  project: z.looseObject({ slug: maybe, id: maybe }).optional().catch(undefined),
  metadata: z.looseObject({ type: maybe, value: maybe }).nullish().catch(null),
  title: maybe,
  count: maybe,
  userCount: maybe,
  firstSeen: maybe,
  status: maybe,
  web_url: maybe,
  permalink: maybe,
});

const Sentry = z.looseObject({
  action: maybe,
  data: z.looseObject({
    event: SentryEvent.optional(),
    error: SentryEvent.optional(),
    issue: SentryIssue.optional(),
  }),
});

/**
 * A message of Sentry's: an event has the stack, an issue the counts, and both the number of the issue, by which they are joined.
 * @param id of the message
 * @returns undefined for one that tells of no error
 */
export function readSentry(payload: unknown, id: string, clean: Clean): Told | undefined {
  const parsed = Sentry.safeParse(payload);
  if (!parsed.success) return undefined;
  const { action, data } = parsed.data;
  const event = data.event ?? data.error;
  if (event) return readEvent(event, id, clean);
  const { issue } = data;
  if (!issue) return undefined;
  const type = clean(issue.metadata?.type, 200) || clean(issue.title, 200) || "Error";
  return {
    project: clean(issue.project?.slug ?? issue.project?.id, 200),
    feedback: {
      ...{ is: "error", id, fingerprint: shortHash("sentry", String(issue.id)), type, frames: [] },
      message: clean(issue.metadata?.value, 1_000),
      resolved: action === "resolved" || issue.status === "resolved",
      ...defined({
        count: wholeNumber(issue.count),
        users: wholeNumber(issue.userCount),
        firstSeen: cleanTime(issue.firstSeen),
        url: cleanUrl(issue.web_url ?? issue.permalink, clean),
      }),
    },
  };
}

function readEvent(event: z.infer<typeof SentryEvent>, id: string, clean: Clean): Told {
  // The last of a chain is what was thrown in the end.
  const thrown = event.exception?.values.at(-1);
  const type = clean(thrown?.type, 200) || clean(event.title, 200) || "Error";
  const message = clean(thrown?.value, 1_000);
  // Sentry has the oldest call first.
  const frames = (thrown?.stacktrace?.frames ?? [])
    .slice(-50)
    .reverse()
    .map((frame) => readFrame(frame, clean));
  const issue = clean(event.issue_id, 100);
  const fingerprint = issue === "" ? fingerprintOf(type, message, frames) : shortHash("sentry", issue);
  return {
    project: clean(event.project_slug ?? event.project, 200),
    feedback: {
      ...{ is: "error", id, fingerprint, type, message, frames, resolved: false },
      ...defined({ release: clean(event.release, 200) || undefined, url: cleanUrl(event.web_url, clean) }),
    },
  };
}

function readFrame(frame: z.infer<typeof Frame>, clean: Clean): StackFrame {
  const file = clean(frame.filename ?? frame.file ?? frame.abs_path, 500) || undefined;
  const line = wholeNumber(frame.lineno ?? frame.line);
  const isLibrary = /(?:^|[\\/])(?:node_modules|site-packages|vendor)[\\/]|^node:|^</.test(file ?? "");
  const inApp = typeof frame.in_app === "boolean" ? frame.in_app : !isLibrary;
  return { inApp, ...defined({ function: clean(frame.function, 300) || undefined, file, line: line || undefined }) };
}

/** Counts come as numbers and as texts. */
function wholeNumber(written: unknown): number | undefined {
  const number = typeof written === "string" && /^\d{1,15}$/.test(written) ? Number(written) : written;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

const text = z.string().optional().catch(undefined);
const Plain = z.looseObject({
  project: text,
  fingerprint: text,
  type: text,
  message: text,
  stack: z.union([z.string(), Frames]).optional().catch(undefined),
  sha: text,
  release: text,
  count: maybe,
  users: maybe,
  first_seen: maybe,
  url: maybe,
  resolved: z.boolean().optional().catch(undefined),
  metric: text,
  baseline: z.number().optional().catch(undefined),
  current: z.number().optional().catch(undefined),
  started_at: maybe,
});

/** Forge's own form of a message, as the plain door and `repository_dispatch` bring it: with a metric it is an anomaly, else an error. */
export function readPlain(payload: unknown, id: string, clean: Clean): Told | undefined {
  const parsed = Plain.safeParse(payload);
  if (!parsed.success) return undefined;
  const { project = "", resolved = false, ...told } = parsed.data;
  const url = cleanUrl(told.url, clean);
  const message = clean(told.message, 1_000);
  if (told.metric !== undefined) {
    const metric = clean(told.metric, 200);
    const { baseline, current } = told;
    const fingerprint = shortHash("anomaly", told.fingerprint ?? metric);
    const startsAt = cleanTime(told.started_at);
    const name = clean(told.type, 200) || metric;
    return {
      project: clean(project, 200),
      feedback: {
        is: "alert",
        id,
        fingerprint,
        name,
        resolved,
        labels: {},
        summary: message,
        metric,
        ...defined({ baseline, current, startsAt, url }),
      },
    };
  }
  const type = clean(told.type, 200);
  if (type === "" && message === "") return undefined;
  const frames =
    typeof told.stack === "string"
      ? readStack(told.stack, clean)
      : (told.stack ?? []).slice(0, 50).map((frame) => readFrame(frame, clean));
  const fingerprint = told.fingerprint ? shortHash("plain", told.fingerprint) : fingerprintOf(type, message, frames);
  return {
    project: clean(project, 200),
    feedback: {
      ...{ is: "error", id, fingerprint, type: type || "Error", message, frames, resolved },
      ...defined({
        release: clean(told.sha ?? told.release, 200) || undefined,
        count: wholeNumber(told.count),
        users: wholeNumber(told.users),
        firstSeen: cleanTime(told.first_seen),
        url,
      }),
    },
  };
}

/** Fifty frames are kept, with source between them at most. */
const LONGEST_STACK = 100_000;
/** No path and name of a frame are longer together. */
const LONGEST_FRAME = 1_000;

/** A stack as JavaScript and Python print it; lines of other forms are left out. */
function readStack(stack: string, clean: Clean): StackFrame[] {
  const isPython = stack.includes("Traceback (most recent call last)");
  const frames = stack
    .slice(0, LONGEST_STACK)
    .split("\n")
    .flatMap((line) => {
      if (line.length > LONGEST_FRAME) return [];
      const script =
        /^\s{0,20}at (?:async )?(?:(.{1,300}?) \()?(?:file:\/\/)?([^\s()]{1,500}):(\d{1,7}):\d{1,7}\)?\s*$/.exec(line);
      const python = /^\s{0,20}File "([^"\n]{1,500})", line (\d{1,7})(?:, in (.{1,300}))?$/.exec(line);
      if (script) return [{ function: script[1], file: script[2], line: script[3] }];
      return python ? [{ function: python[3], file: python[1], line: python[2] }] : [];
    });
  return (isPython ? frames.reverse() : frames).slice(0, 50).map((frame) => readFrame(frame, clean));
}
