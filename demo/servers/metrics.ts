import type { Running } from "../lifetime.ts";

/** Often enough that ten seconds say something. */
export const SCRAPE_SECONDS = 1;

/** A process whose metrics are read. */
export interface Target {
  readonly port: number;
  readonly environment: string;
}

/** Reads what the versions say of themselves, and answers questions about it as Prometheus does. */
export interface Metrics extends Running {
  readonly kind: "prometheus" | "reader";
  readonly address: string;
  /** From now on these are read, and no others. */
  watch(targets: readonly Target[]): Promise<void>;
  kill(): void;
}
