import { promptInjection } from "../../agents/library.ts";
import type { Command, CommandName } from "../../domain/commands.ts";
import { defined } from "../../domain/defined.ts";
import { guardOf } from "../../domain/findings.ts";
import type { CommandGiven } from "../../domain/inputs.ts";
import type { CitedCode, Taught } from "../../domain/memories.ts";
import type { Refusal } from "../../domain/refusals.ts";
import { atLeast, type RepositoryRef, subjectKey } from "../../domain/subjects.ts";
import { citeFile, citeLines } from "../../memory/citations.ts";
import { wordsOf } from "../../memory/find-candidates.ts";
import type { Memory } from "../../memory/open-memory.ts";
import { opposed, statementOf } from "../../memory/usable.ts";
import { REDACTED } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { findMemoriesById } from "../../store/memories/read-memories.ts";
import { readLedger } from "../../store/runs/ledger.ts";
import type { Store } from "../../store/store.ts";
import { stripHidden } from "../../tools/data/strip-hidden.ts";
import { cleanPath } from "../../workspace/files/clean-path.ts";
import type { CommentNow, PullRequestHost } from "../runs/ports.ts";
import { findTarget } from "./decide-command.ts";

export interface TeachingDependencies {
  readonly store: Store;
  readonly memory: Pick<Memory, "prepare" | "knownHere">;
  readonly host: Pick<PullRequestHost, "readFile">;
}

/** Characters of what people have remembered. */
const MOST_CHARACTERS = 1_000;
/** Files that one text is looked through for. */
const MOST_PATHS = 5;
/** Words that carry meaning which a note has to have before it is more than a yes. */
const WORDS_OF_NOTE = 3;
/** What an approval that says how things are done is believed at (HUM-2). */
const NOTE_CONFIDENCE = 0.8;
/** Memories that a new one is compared with. */
const COMPARED = 20;

/** Where a comment stands and where it is seen. */
export type Said = Pick<CommentNow, "url" | "on">;
type Given = Pick<CommandGiven, "subject" | "by" | "role" | "parsed" | "thread">;

/**
 * What a command teaches (MEM-6, HUM-1, HUM-2): `remember` its text, a dismissal its reason, an approval its note, but at the gate of a deployment;
 * each with the code that it rests on. Only of people with push permission. Undefined where there is nothing to learn.
 * @throws ForgeError `github_unavailable`
 */
export async function readTeaching(
  dependencies: TeachingDependencies,
  given: Given,
  said: Said,
  signal: AbortSignal,
): Promise<CommandGiven["teaches"]> {
  const { parsed, role = "none", subject } = given;
  if (!("command" in parsed) || !atLeast(role, "write")) return undefined;
  const { command } = parsed;
  const lesson = await lessonOf(dependencies, given, command, said, signal);
  if (lesson === undefined || "refusal" in lesson) return lesson;
  const { installationId, id: repositoryId } = subject.repository;
  const scope = { installationId, repositoryId };
  const prepared = await dependencies.memory.prepare(
    {
      ...{ scope, type: "semantic", origin: "person", taughtBy: given.by, metadata: { subject: subjectKey(subject) } },
      ...defined({ thread: said.url }),
      ...lesson,
      cites: [...lesson.cites],
    },
    signal,
  );
  return { ...prepared, ...(await compare(dependencies, prepared)) };
}

/** Ids that are offered where what was written fits several. */
const MOST_NAMED = 5;

/** For `forget`: the memories here whose ids begin as was written. */
export async function readNamed(
  { store }: Pick<TeachingDependencies, "store">,
  { parsed, subject }: Pick<Given, "parsed" | "subject">,
): Promise<CommandGiven["named"]> {
  if (!("command" in parsed) || parsed.command.name !== "forget") return undefined;
  const { installationId, id: repositoryId } = subject.repository;
  const written = parsed.command.memory;
  if (!/^M-[0-9A-Z]+$/i.test(written)) return [];
  const found = await findMemoriesById(store, { installationId, repositoryId }, written, MOST_NAMED);
  return found.map(({ id, taughtBy }) => ({ id, ...defined({ by: taughtBy }) }));
}

/** What is known already of the same, and against it. */
async function compare(
  { store, memory }: TeachingDependencies,
  { memory: { id, scope, content } }: Pick<Taught, "memory">,
): Promise<Pick<Taught, "known" | "opposed">> {
  const [[found], { items }] = await Promise.all([
    findMemoriesById(store, scope, id, 1),
    memory.knownHere({ scope, query: content, limit: COMPARED }),
  ]);
  const own = statementOf(content);
  const others = items.map((item) => item.memory).filter((other) => other.id !== id && !other.archived);
  const known = found && { origin: found.origin, archived: found.archived, ...defined({ by: found.taughtBy }) };
  return {
    opposed: others.filter((other) => opposed(own, statementOf(other.content))).map((other) => other.id),
    ...defined({ known }),
  };
}

interface TaughtText {
  readonly content: string;
  readonly type?: "procedural";
  readonly confidence?: number;
  readonly tags?: string[];
  readonly cites: readonly CitedCode[];
}

/** Commands whose words may be remembered. */
type TeachingCommand = "remember" | "approve" | "dismiss";

async function lessonOf(
  dependencies: TeachingDependencies,
  given: Given,
  command: Command,
  said: Said,
  signal: AbortSignal,
): Promise<TaughtText | { readonly refusal: Refusal } | undefined> {
  const { repository } = given.subject;
  const cite = (text: string) => citeNamed(dependencies.host, repository, text, signal);
  switch (command.name) {
    case "remember": {
      const text = command.text ?? "";
      const refusal = refusedText(text);
      if (refusal) return { refusal };
      const cites = [...(await citePlace(dependencies.host, repository, said.on, signal)), ...(await cite(text))];
      return { content: text, cites };
    }
    case "approve": {
      const { note = "" } = command;
      // Why one version may go somewhere says nothing of how things are done (DEP-4).
      if (given.subject.kind === "environment") return undefined;
      if (new Set(wordsOf(note)).size < WORDS_OF_NOTE || refusedText(note)) return undefined;
      return {
        content: note,
        type: "procedural",
        confidence: NOTE_CONFIDENCE,
        tags: ["approval"],
        cites: await cite(note),
      };
    }
    case "dismiss":
      return dismissalLesson(dependencies, given, command, signal);
    default:
      command.name satisfies Exclude<CommandName, TeachingCommand>;
      return undefined;
  }
}

/** Of secrets and critical security findings nothing is learnt: what was accepted once is accepted for that place alone. */
async function dismissalLesson(
  { store, host }: TeachingDependencies,
  { subject, thread }: Given,
  command: Extract<Command, { name: "dismiss" }>,
  signal: AbortSignal,
): Promise<TaughtText | undefined> {
  const { reason, scope } = command;
  if (reason === "" || refusedText(reason)) return undefined;
  const target = findTarget(await readLedger(store, subject), command, thread);
  if ("reason" in target || guardOf(target.finding)) return undefined;
  const { file, line, endLine, rule } = target.finding;
  const where = scope.kind === "rule" ? "everywhere" : `in ${scope.kind === "path" ? scope.glob : file}`;
  const on = { path: file, startLine: line, endLine, sha: target.headSha };
  return {
    content: `${rule} was dismissed ${where}: ${reason}`,
    tags: ["dismissal", rule],
    cites: await citePlace(host, subject.repository, on, signal),
  };
}

/** Why a text is not remembered as it is. What is no text of a person's page is not what somebody meant to teach. */
export function refusedText(text: string): Refusal | undefined {
  const why = faultOf(text);
  return why && { reason: "not_rememberable", why };
}

function faultOf(text: string) {
  if (text.length > MOST_CHARACTERS) return "too_long";
  if (text.includes(REDACTED)) return "secret";
  if (visibleText(text).trim() !== text.replace(/\p{Zs}/gu, " ").trim() || stripHidden(text).text !== text)
    return "hidden";
  if (SILENCES.test(text)) return "silences";
  return promptInjection.check({ stage: "tool_output", text }).pass ? undefined : "orders";
}

/** Asks for all findings of some kind to be kept quiet: people do that by dismissals, which have a scope and are counted. */
const SILENCES =
  /\b(?:ignore|hide|skip|suppress|silence|(?:never|not|don['’]?t|no longer)\s{1,4}(?:report|mention|flag|raise|show|find))\s{1,4}(?:(?:all|any|every|each|the|of|these|other)\s{1,4}){0,3}(?:\p{L}+\s{1,4}){0,2}(?:findings?|issues?|problems?|vulnerabilit(?:y|ies)|secrets?|security|bugs?|faults?|errors?)\b/iu;

/** The lines that a thread is about, as they stood there. */
export async function citePlace(
  host: Pick<PullRequestHost, "readFile">,
  repository: RepositoryRef,
  on: Said["on"],
  signal: AbortSignal,
): Promise<CitedCode[]> {
  if (on === undefined) return [];
  const text = await host.readFile(repository, on.path, signal, on.sha);
  const cited = text === undefined ? undefined : citeLines(on.path, text, on.startLine, on.endLine);
  return cited ? [cited] : [];
}

/** Looks like a path: with a folder, or with an extension. */
const PATH = /(?<![\w/:.@-])(?:[\w@.-]{1,100}\/){0,20}[\w@-][\w@.-]{0,100}\.[A-Za-z]\w{0,9}(?![\w/])/g;

/** The files that a text names, where the default branch has them. */
export async function citeNamed(
  host: Pick<PullRequestHost, "readFile">,
  repository: RepositoryRef,
  text: string,
  signal: AbortSignal,
): Promise<CitedCode[]> {
  const named = [...new Set(text.match(PATH))].filter((path) => cleanPath(path).ok).slice(0, MOST_PATHS);
  const cites: CitedCode[] = [];
  for (const path of named) {
    const content = await host.readFile(repository, path, signal);
    if (content !== undefined) cites.push(citeFile(path, content));
  }
  return cites;
}
