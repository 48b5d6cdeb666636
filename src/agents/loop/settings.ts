/** How a loop goes about its work where somebody wants it otherwise (CONF-1). */
export interface LoopSettings {
  /** So many steps that are the same, or calls that fail in the same way, and it goes round in circles (LOOP-11); from 2 on. */
  readonly stagnation: number;
  /** Share of the token budget, 0 to 1, from which on the middle of the history is compressed (LOOP-10). */
  readonly compressAt: number;
  /** Messages at the end that a compression leaves whole. */
  readonly keepRecent: number;
  /** Limit for all reflections of a phase, and the cost below which a success is not reflected on; in USD (LOOP-13). */
  readonly reflectionUsd: number;
  readonly reflectFromUsd: number;
  /** How often one model is asked where a failure is transient, and the wait between where the provider names none (LOOP-7). */
  readonly attempts: number;
  readonly pauseMs: number;
}

/** As shipped. */
export const USUAL_SETTINGS: LoopSettings = {
  stagnation: 3,
  compressAt: 0.9,
  keepRecent: 3,
  reflectionUsd: 0.5,
  reflectFromUsd: 0.1,
  attempts: 2,
  pauseMs: 5_000,
};

/** The settings of a loop: the defaults under the given ones. */
export function settingsOf({ settings }: { readonly settings?: Partial<LoopSettings> }): LoopSettings {
  return { ...USUAL_SETTINGS, ...settings };
}
