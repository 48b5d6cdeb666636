import { statSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { type Durations, readDurations } from "./durations-file.ts";

/** The projects with the longest files come first: a long file that starts last runs alone next to idle processors. */
const PROJECTS = ["hostile", "long", "alone-full", "sharing-full", "alone", "sharing"];

/** Files that have run before come slowest first, after those that have not, which come largest first. */
export class SlowestFirst extends BaseSequencer {
  /** Project by project: Vitest keeps files together that share a process. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const order = inOrder(
      files.map((file) => ({
        file,
        project: file.project.name,
        path: relative(root, file.moduleId),
        bytes: statSync(file.moduleId).size,
      })),
      readDurations(),
    );
    return order.map(({ file }) => file);
  }
}

/** What decides about the place of a file. */
export interface Placed {
  readonly project: string;
  readonly path: string;
  readonly bytes: number;
}

export function inOrder<T extends Placed>(files: readonly T[], durations: Durations): T[] {
  const expectedMs = ({ path }: Placed) => durations[path]?.ms ?? Number.POSITIVE_INFINITY;
  const rank = ({ project }: Placed) => PROJECTS.indexOf(project);
  return files.toSorted(
    (one, other) =>
      rank(one) - rank(other) || compare(expectedMs(other), expectedMs(one)) || other.bytes - one.bytes || 0,
  );
}

/** Infinity minus itself is no number. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
