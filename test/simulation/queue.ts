import type { Fence, Job } from "./ledger.ts";

/** A job as its worker holds it. */
export interface Held {
  readonly job: Job;
  readonly fence: Fence;
  /** Which try this is, counted from 1. */
  readonly attempt: number;
}

/** Work that can be interrupted at every `yield`; it comes to the moment at which to go on, or to its end. */
export type Work = Generator<void, { readonly retryAt: number } | undefined>;
