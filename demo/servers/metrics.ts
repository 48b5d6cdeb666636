import type { Running } from "../lifetime.ts";

/** Often enough that ten seconds say something. */
export const SCRAPE_SECONDS = 1;

/** A port where a version may run, whose metrics are read then. A target that is new is found by Prometheus after five seconds only. */
export interface Target {
  readonly port: number;
  readonly environment: string;
}

/** Reads what the versions say of themselves, and answers questions about it as Prometheus does. */
export interface Metrics extends Running {
  readonly kind: "prometheus" | "reader";
  readonly address: string;
  kill(): void;
}
