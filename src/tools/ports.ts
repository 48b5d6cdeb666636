import type { Sample } from "../domain/samples.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";

/** What an agent may write down for later runs; scope, confidence and the event it comes from are the memory's business (MEM-1). */
export interface MemoryNote {
  readonly kind: "episodic" | "semantic" | "procedural";
  /** One fact in plain words, at most 1,000 characters. */
  readonly content: string;
  /** Other words that somebody looking for this might use. */
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
}

export interface RecallQuery {
  readonly text: string;
  readonly tags: readonly string[];
  /** 1 to 10. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

export interface RecalledNote {
  readonly id: string;
  readonly kind: MemoryNote["kind"];
  readonly content: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** One line in the memory's own words: what it is, who taught it, on which code it rests. */
  readonly label?: string;
}

/** The memory of one repository as one run may use it: implemented by the memory's room, bound to scope and run by its provider. */
export interface MemoryPort {
  /** @returns the id of the note, or why it was not kept, in a sentence for the model */
  remember(note: MemoryNote, signal: AbortSignal): Promise<{ readonly id: string } | { readonly refused: string }>;
  /** Best first; also records that they were recalled. */
  recall(query: RecallQuery): Promise<readonly RecalledNote[]>;
}

export interface IssueComment {
  readonly author: string;
  /** As GitHub names the relation of an author to the repository, in lower case: `member`, `contributor`, `none`. */
  readonly role: string;
  /** ISO 8601. */
  readonly at: string;
  readonly body: string;
}

export interface IssueText {
  readonly number: number;
  readonly title: string;
  readonly state: "open" | "closed";
  readonly author: string;
  readonly role: string;
  readonly at: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** Oldest first. */
  readonly comments: readonly IssueComment[];
  /** Comments that there are beside these. */
  readonly moreComments: number;
}

/** Issues and pull request conversations of the run's own repository, and of no other. */
export interface IssuePort {
  /** @returns undefined when there is no such issue */
  fetchIssue(number: number, signal: AbortSignal): Promise<IssueText | undefined>;
}

/** The packages that are installed for the repository, and nothing outside of their folder. */
export interface PackagesPort {
  /** @returns the files of one package by its name; undefined where it is not installed */
  open(name: string): Promise<RepositoryFiles | undefined>;
}

/** One deployment, to be read. */
export interface DeploymentPort {
  /** The current record, in lines of plain text; titles in it are of others. */
  status(): Promise<string>;
}

/** What the operator's sources tell of one environment. */
export interface MetricsPort {
  /** What may be asked for; never empty. */
  readonly names: readonly string[];
  /** Everything of one stretch of time that ends with the last look at the version. */
  read(minutes: number, signal: AbortSignal): Promise<Sample>;
}
