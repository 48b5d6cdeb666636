import type { Subject } from "../../domain/subjects.ts";
import { pathUri } from "../../workspace/path-text.ts";

function homeOf({ repository }: Subject, origin: string): string {
  return `${origin}/${encodeURIComponent(repository.owner)}/${encodeURIComponent(repository.name)}`;
}

/** Where it is on GitHub. */
export function addressOf(subject: Subject, origin: string): string {
  const home = homeOf(subject, origin);
  switch (subject.kind) {
    case "environment":
      return `${home}/deployments`;
    case "issue":
      return `${home}/issues/${subject.number}`;
    case "pull_request":
    case "merge_group":
      return `${home}/pull/${subject.number}`;
    default:
      return subject satisfies never;
  }
}

/** A line of a file at a commit on GitHub. */
export function fileAddress(subject: Subject, origin: string, sha: string, file: string, line: number): string {
  return `${homeOf(subject, origin)}/blob/${encodeURIComponent(sha)}/${pathUri(file)}#L${line}`;
}
