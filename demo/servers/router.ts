import type { Running } from "../lifetime.ts";

/** Two versions run side by side in an environment, and a third comes before the first is gone. */
export const SLOTS = 4;

/** Where a version listens, and how many of a hundred requests it gets. */
export interface Share {
  readonly port: number;
  /** A whole number from 0 to 100. */
  readonly percent: number;
}

/** Is in front of the versions of each environment. A client does not see which of them answers. */
export interface Router extends Running {
  readonly kind: "haproxy" | "node";
  /** Where an environment is asked. */
  address(environment: string): string;
  /** From now on requests to an environment are shared like that, without one being lost. */
  route(environment: string, shares: readonly Share[]): Promise<void>;
  kill(): void;
}
