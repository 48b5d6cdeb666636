import type { Subject } from "../../domain/subjects.ts";
import type { PullOnGitHub } from "../github-repository.ts";
import { findMarker, type Marked, type MarkerSecret, markerFor } from "../marker.ts";

/** By what a pull request that Forge opened is known: its branch, whichever run works on it. */
function markOf({ repository }: Subject, headRef: string): Marked {
  return { kind: "pull", key: `${repository.id}/${headRef}` };
}

/** Whether Forge wrote this title: people may have found a better one. */
function markOfTitle(title: string): Marked {
  return { kind: "title", key: title };
}

/** Whether Forge opened it; somebody who took over may have opened one from the same branch. */
export function isOwnPull(subject: Subject, { byBot, body, headRef }: PullOnGitHub, secret: MarkerSecret): boolean {
  return byBot && findMarker(body, markOf(subject, headRef), secret);
}

/** The text of Forge between nothing and its markers. What people wrote behind them stays behind them. */
export function pullBody(
  subject: Subject,
  { headRef, title, text, before = "" }: { headRef: string; title: string; text: string; before?: string },
  secret: MarkerSecret,
): string {
  const end = markerFor(markOf(subject, headRef), secret);
  const at = before.indexOf(end);
  const behind = at === -1 ? "" : before.slice(at + end.length);
  return `${text}\n${markerFor(markOfTitle(title), secret)}\n${end}${behind}`;
}

/** The title that is to stand there: a new one replaces what Forge wrote, never what people wrote. */
export function titleFor({ title, body }: PullOnGitHub, wanted: string, secret: MarkerSecret): string {
  return findMarker(body, markOfTitle(title), secret) ? wanted : title;
}
