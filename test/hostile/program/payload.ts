import type { FileContent } from "../../../simulator/git/commits.ts";
import type { HostileWorld, Mind } from "./hostile-world.ts";
import type { Since } from "./leaks.ts";

export type Files = Readonly<Record<string, FileContent>>;

/** Where a payload is let loose: an organisation with one repository, which is gone afterwards. */
export interface Ground {
  readonly world: HostileWorld;
  /** "owner/name" */
  readonly repository: string;
}

/** What came of it, as people see it on GitHub. */
export interface Seen {
  readonly ground: Ground;
  /** Number of the pull request or issue. */
  readonly number: number;
  readonly since: Since;
}

/** Something that an attacker may send, and what must be so afterwards beside what must always be so. */
export interface Payload {
  /** Unique in its class. */
  readonly name: string;
  /** In a sentence. */
  readonly does: string;
  /** Of the default branch. */
  readonly base?: Files;
  /** What the model does; it is honest and finds nothing when left out. */
  readonly mind?: Mind;
  readonly needsSandbox?: boolean;
  /** Resident memory that Forge and all that it starts may have together, in MiB; 3,072. */
  readonly memoryMiB?: number;
  /** Lets it loose. Resolves with the number of the pull request or issue that it is about. */
  strike(ground: Ground): Promise<number>;
  /** What is wrong; empty when it held. */
  faults?(seen: Seen): readonly string[] | Promise<readonly string[]>;
}

/** A class of attacks. */
export interface HostileClass {
  readonly name: string;
  /** Made anew from a seed where chance makes them. */
  readonly payloads: (seed: number) => readonly Payload[];
}
