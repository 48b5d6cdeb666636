import { environmentOf } from "../../domain/deployments.ts";
import type { Subject } from "../../domain/subjects.ts";

/** What people call a subject: "acme/shop#12", "acme/shop staging". */
export function nameOf(subject: Subject): string {
  const { kind, repository, number } = subject;
  const name = `${repository.owner}/${repository.name}`;
  return kind === "environment" ? `${name} ${environmentOf(subject)}` : `${name}#${number}`;
}

/** Where it is on GitHub. */
export function addressOf({ kind, repository, number }: Subject, origin: string): string {
  const home = `${origin}/${encodeURIComponent(repository.owner)}/${encodeURIComponent(repository.name)}`;
  switch (kind) {
    case "environment":
      return `${home}/deployments`;
    case "issue":
      return `${home}/issues/${number}`;
    case "pull_request":
    case "merge_group":
      return `${home}/pull/${number}`;
    default:
      return kind satisfies never;
  }
}
