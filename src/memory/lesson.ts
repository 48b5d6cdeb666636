import { z } from "zod";
import { ForgeError } from "../domain/errors.ts";
import { CitedCode, MemoryOrigin, MemoryType } from "../domain/memories.ts";
import { Actor } from "../domain/subjects.ts";
import type { Redact } from "../safety/redact.ts";
import { redactValue } from "../safety/redact-value.ts";
import { visibleText } from "../safety/visible-text.ts";

const CONTENT_CHARACTERS = 2_000;
const CONTEXT_CHARACTERS = 1_000;
const METADATA_CHARACTERS = 4_000;
const WORD_CHARACTERS = 40;
const TAGS = 12;
/** A model is asked for 5 to 8. */
const KEYWORDS = 12;

const Text = (maximum: number) => z.string().transform(visibleText).pipe(z.string().trim().max(maximum));

const Lesson = z.object({
  scope: z.object({
    installationId: z.number().int().positive(),
    repositoryId: z.number().int().positive().optional(),
  }),
  type: MemoryType,
  /** The kind of agent it is for; without one it is for all. */
  agentType: z.string().min(1).max(WORD_CHARACTERS).optional(),
  content: Text(CONTENT_CHARACTERS).pipe(z.string().min(1)),
  context: Text(CONTEXT_CHARACTERS).default(""),
  tags: z.array(z.string()).default([]),
  /** Other words for the same, written by whoever remembers: they are what a later question may say (MEM-1). */
  keywords: z.array(z.string()).default([]),
  origin: MemoryOrigin,
  /** Where the one of the origin does not fit (HUM-2); 0 to 1. */
  confidence: z.number().min(0).max(1).optional(),
  taughtBy: Actor.optional(),
  thread: z.string().max(500).optional(),
  sourceEvent: z.string().max(100).optional(),
  cites: z.array(CitedCode).max(20).default([]),
  metadata: z.record(z.string(), z.unknown()).default({}),
  expiresAt: z.iso.datetime({ precision: 3 }).optional(),
});

/** What somebody wants remembered. Text of any origin: it is cleaned before it is stored. */
export type Lesson = z.input<typeof Lesson>;
export type CleanLesson = z.output<typeof Lesson>;

/**
 * A lesson fit to be stored (SEC-6): what is hidden is taken out first, so that it cannot keep a secret from being recognised; secrets are
 * redacted in all of its texts; tags and keywords are made short, lower-case and different.
 * @throws ForgeError `memory_invalid`, with a sentence that says what to change.
 */
export function cleanLesson(lesson: Lesson, redact: Redact): CleanLesson {
  const parsed = Lesson.safeParse(lesson);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const { data } = parsed;
  if (data.origin === "person" && data.taughtBy === undefined) {
    throw invalid("what a person taught names that person");
  }
  const metadata = redactValue(data.metadata, (text) => redact(visibleText(text))) as Record<string, unknown>;
  if (JSON.stringify(metadata).length > METADATA_CHARACTERS) {
    throw invalid(`metadata takes at most ${METADATA_CHARACTERS.toLocaleString("en-US")} characters`);
  }
  return {
    ...data,
    content: redact(data.content),
    context: redact(data.context),
    tags: cleanWords(data.tags, redact, TAGS),
    keywords: cleanWords(data.keywords, redact, KEYWORDS),
    cites: data.cites.map(({ path, ...cited }) => ({ ...cited, path: redact(visibleText(path)) })),
    metadata,
    ...(data.thread === undefined ? {} : { thread: redact(visibleText(data.thread)) }),
  };
}

/** As memories keep tags, for comparing a question's with theirs. */
export function cleanTag(tag: string): string {
  return visibleText(tag).replace(/\s+/g, " ").trim().toLowerCase();
}

function cleanWords(words: readonly string[], redact: Redact, most: number): string[] {
  const clean = words.map((word) => cleanTag(redact(visibleText(word)))).filter((word) => word !== "");
  return [...new Set(clean.map((word) => [...word].slice(0, WORD_CHARACTERS).join("").trim()))].slice(0, most);
}

function invalid(reason: string): ForgeError {
  return new ForgeError("memory_invalid", `This cannot be remembered: ${reason}.`, {
    source: "validation",
    severity: "low",
    recoverability: "manual",
  });
}
