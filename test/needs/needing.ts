import { describe, expect, it, type SuiteAPI, type TestAPI } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why a test was left out: what this machine lacks, in a sentence. */
    missing?: string;
  }
}

/** CI installs everything that tests need: what is missing there is a fault. */
const IS_PROMISED = Boolean(process.env.CI);

/**
 * `it` for tests that need something of the machine. Where that is missing each is skipped by its own name, and the last lines of the run say
 * how many were and why (`say-untested.ts`).
 */
export function itNeeding(missing: string | undefined): TestAPI {
  if (missing === undefined) return it;
  const options = { skip: !IS_PROMISED, meta: { missing } };
  const fail = () => expect.unreachable(missing);
  const without = (name: string) => it(name, options, fail);
  const each = (rows: readonly unknown[]) => (name: string) => it.each(rows)(name, options, fail);
  return Object.assign(without, { each, concurrent: without }) as unknown as TestAPI;
}

/** `describe` for the same: its tests are collected, and none of its hooks is run. */
export function describeNeeding(missing: string | undefined): SuiteAPI {
  if (missing === undefined) return describe;
  const without = (name: string, body: () => void) =>
    IS_PROMISED
      ? describe(name, () => it("finds what it needs", () => expect.unreachable(missing)))
      : describe(name, { skip: true, meta: { missing } }, body);
  return without as unknown as SuiteAPI;
}
