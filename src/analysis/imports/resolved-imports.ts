export interface ResolvedImports {
  /** Files that a module may mean, the likeliest first. */
  readonly targets: ReadonlyMap<string, readonly string[]>;
  /** Modules of which only the names of the targets say that they are meant. */
  readonly guessed?: ReadonlySet<string>;
  /** Modules that look like the repository's own, and were not found. */
  readonly lost: readonly string[];
  /** Some of these may be there: the settings could not be followed, or there are more files than are looked through. */
  readonly isCut?: boolean;
}

export interface ResolvePlace {
  readonly scratch: string;
  readonly signal: AbortSignal;
}
