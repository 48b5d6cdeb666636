/** A moment at which a process can be killed: the `occurrence`-th time (from 1) that something of this name happens after arming. */
export interface Point {
  readonly name: string;
  readonly occurrence: number;
}

/** What a test tells the process under test. */
export interface Order {
  /** Counting begins anew with each order; without a point nothing is killed any more. */
  readonly killAt?: Point;
  /** At a write to GitHub it asks the parent when to die, and goes on with its other work until then. */
  readonly asks?: true;
  /** The main loop hangs at this point. */
  readonly hangAt?: Point;
}

/** What a process with such an order sends at its point, and the answer. */
export const MAY_I_DIE = "may I die";
export const DIE = "die";

/** Variable that carries an order (JSON) for a process that is to die while it starts. */
export const ORDER_VARIABLE = "CHAOS_ORDER";

export function describePoint({ name, occurrence }: Point): string {
  return occurrence === 1 ? name : `${name} (${occurrence})`;
}
