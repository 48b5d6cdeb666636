import type { Subject } from "../../domain/subjects.ts";

/** Where it is on GitHub. */
export function addressOf(subject: Subject, origin: string): string {
  const { repository } = subject;
  const home = `${origin}/${encodeURIComponent(repository.owner)}/${encodeURIComponent(repository.name)}`;
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
