import { defined } from "./defined.ts";

/** ERR-1: where a failure came from. */
export const ERROR_SOURCES = [
  "llm",
  "tool",
  "validation",
  "timeout",
  "resource",
  "permission",
  "logic",
  "network",
  "unknown",
] as const;
export type ErrorSource = (typeof ERROR_SOURCES)[number];

export const ERROR_SEVERITIES = ["critical", "high", "medium", "low", "warning"] as const;
export type ErrorSeverity = (typeof ERROR_SEVERITIES)[number];

/** `auto`: trying again may help; `manual`: a person has to do something first; `none`: it will never work. */
export const RECOVERABILITIES = ["auto", "manual", "none", "unknown"] as const;
export type Recoverability = (typeof RECOVERABILITIES)[number];

export interface ErrorFacts {
  readonly code: string;
  readonly source: ErrorSource;
  readonly severity: ErrorSeverity;
  readonly recoverability: Recoverability;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>>;
}

export interface ForgeErrorOptions {
  readonly source: ErrorSource;
  readonly severity?: ErrorSeverity;
  readonly recoverability?: Recoverability;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * A known failure (ERR-1). `code` is stable and snake_case; `message` is one sentence a person can act on: what was wrong, where, and
 * what to do. Anything else that is thrown is a bug and is recorded as `unexpected`.
 */
export class ForgeError extends Error {
  override readonly name = "ForgeError";
  readonly code: string;
  readonly source: ErrorSource;
  readonly severity: ErrorSeverity;
  readonly recoverability: Recoverability;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: ForgeErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.source = options.source;
    this.severity = options.severity ?? "medium";
    this.recoverability = options.recoverability ?? "unknown";
    this.context = options.context ?? {};
  }
}

/**
 * It is too early, and nothing is wrong: GitHub, the provider of a model or a budget wants to be asked again later. Any job may
 * throw it; `queue/` alone handles it, by putting the job off.
 */
export class RetryLater extends ForgeError {
  /** Milliseconds until it may be tried again; undefined where no time was named. */
  readonly afterMs: number | undefined;
  /** Whether the job has failed all the same, and is given up when that happens too often. */
  readonly countsAsAttempt: boolean;

  constructor(code: string, message: string, options: RetryLaterOptions) {
    super(code, message, { recoverability: "auto", ...options });
    this.afterMs = options.afterMs;
    this.countsAsAttempt = options.countsAsAttempt ?? false;
  }

  /** The same, as a failure: what has waited too often is given up. @param code says what it waited for when it is given up */
  counted(code = this.code): RetryLater {
    const { message, source, severity, context, afterMs } = this;
    return new RetryLater(code, message, { source, severity, context, afterMs, countsAsAttempt: true, cause: this });
  }
}

export interface RetryLaterOptions extends ForgeErrorOptions {
  readonly afterMs?: number | undefined;
  readonly countsAsAttempt?: boolean;
}

/** What an `error.*` event and a log line carry of any thrown value. */
export function errorFacts(thrown: unknown): ErrorFacts {
  if (thrown instanceof ForgeError) {
    const { code, source, severity, recoverability, message, context } = thrown;
    return { code, source, severity, recoverability, message, context };
  }
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  const stack = thrown instanceof Error && thrown.stack ? thrown.stack.split("\n").slice(1, 6).join("\n") : undefined;
  const message = unexpectedMessage(thrown, detail);
  return {
    code: "unexpected",
    source: "unknown",
    severity: "high",
    recoverability: "unknown",
    message,
    context: { ...(detail === message ? {} : { detail }), ...defined({ stack }) },
  };
}

/** An absolute path of this machine, also as an address; not the path of a web address. */
const HOST_PATH = /(?:file:\/\/|(?<![\w:/.@~-]))\/[^\s"'`<>()[\]|,;:/]+\/[^\s"'`<>()[\]|,;:]*/g;

/**
 * What was not expected was not written for people: what the system says names paths of this machine, so only its code is told. The whole
 * text stands in the context, for the log.
 */
function unexpectedMessage(thrown: unknown, detail: string): string {
  const { code, syscall } = thrown instanceof Error ? (thrown as { code?: unknown; syscall?: unknown }) : {};
  if (typeof code === "string" && syscall !== undefined) return `The system refused something (${code}).`;
  return detail.replace(HOST_PATH, "[a path]") || "an error without a message";
}
