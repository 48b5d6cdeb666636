import type { IssueSnapshot } from "../../domain/implementation.ts";
import type { Actor, Role } from "../../domain/subjects.ts";
import { commandLines } from "../../pipeline/commands/command-lines.ts";
import { type Redact, redactAside } from "../../safety/redact.ts";
import { authorOf, isGhost } from "../handlers/payloads.ts";
import type { Read } from "../reader.ts";
import { type Comment, labelsOf, readComments, readIssue } from "./read-issue.ts";

export interface SnapshotDependencies {
  readonly read: Read;
  readonly readRole: (login: string) => Promise<Role>;
  readonly redact: Redact;
  readonly signal: AbortSignal;
}

const TITLE_CHARACTERS = 1_000;
const BODY_CHARACTERS = 30_000;
const COMMENT_CHARACTERS = 4_000;
/** What was said first tells what is wanted, what was said last what became of it. */
const OLDEST = 10;
const NEWEST = 20;
/** Authors beyond these count as having no permission. */
const ROLES_READ = 20;

/**
 * An issue as it stands now, with who said what and what they may do (PLAN-1, SEC-5): without what bots said, without comments that hold
 * nothing but commands, and without comments that were written or edited after `until`.
 */
export async function readSnapshot(
  { read, readRole, redact, signal }: SnapshotDependencies,
  number: number,
  until?: string,
): Promise<IssueSnapshot | undefined> {
  const issue = await readIssue(read, number);
  if (!issue) return undefined;
  const { comments, unread } = await readComments(read, issue);
  const byPeople = comments.filter(({ user, body }) => authorOf(user).kind === "user" && saysSomething(body));
  const inTime = byPeople.filter(({ updated_at: at }) => until === undefined || Date.parse(at) <= Date.parse(until));
  const chosen = inTime.filter((_, at) => at < OLDEST || at >= inTime.length - NEWEST);
  const roleOf = await readRoles(
    [issue, ...chosen.toReversed()].map(({ user }) => authorOf(user)),
    readRole,
    signal,
  );
  let characters = 0;
  const said = async ({ user, body, created_at: at }: Pick<Comment, "user" | "body" | "created_at">, most: number) => {
    const { text, cut } = await keep(body, most, redact);
    characters += cut;
    const by = authorOf(user);
    return { by, role: roleOf(by), at, text };
  };
  const title = await keep(issue.title, TITLE_CHARACTERS, redact);
  characters += title.cut;
  const body = await said(issue, BODY_CHARACTERS);
  const told = [];
  for (const comment of chosen) told.push(await said(comment, COMMENT_CHARACTERS));
  const snapshot = {
    title: title.text,
    body,
    labels: labelsOf(issue).map((label) => redact(label)),
    comments: told,
  };
  return { ...snapshot, leftOut: { comments: unread + byPeople.length - chosen.length, characters } };
}

/** Asks once for each, the first ones first; where GitHub does not tell, the text is quoted as somebody's who may do nothing. */
async function readRoles(
  authors: readonly Actor[],
  readRole: (login: string) => Promise<Role>,
  signal: AbortSignal,
): Promise<(author: Actor) => Role> {
  const people = authors.filter((author) => author.kind === "user" && !isGhost(author));
  const logins = [...new Set(people.map(({ login }) => login))].slice(0, ROLES_READ);
  const roles = new Map<string, Role>();
  for (const login of logins) {
    const role = await readRole(login).catch((): Role => "none");
    signal.throwIfAborted();
    roles.set(login, role);
  }
  return ({ login }) => roles.get(login) ?? "none";
}

interface Kept {
  readonly text: string;
  /** Characters that were cut off. */
  readonly cut: number;
}

/** A text without secrets and of at most so many characters. Redacted first: of a secret that was cut in two, half would stay. */
export async function keep(text: string | null | undefined, characters: number, redact: Redact): Promise<Kept> {
  const whole = await redactAside((text ?? "").toWellFormed(), redact);
  if (whole.length <= characters) return { text: whole, cut: 0 };
  // Half of a pair is no character.
  const kept = whole.slice(0, characters).replace(/[\uD800-\uDBFF]$/, "");
  return { text: kept, cut: whole.length - kept.length };
}

/** Whether there is anything in it beside commands to Forge. */
export function saysSomething(text: string | null | undefined): boolean {
  if (!text?.trim()) return false;
  const { lines, alone } = commandLines(text);
  return lines.length === 0 || !alone;
}
