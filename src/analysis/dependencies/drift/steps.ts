export type Record = Readonly<{ [key: string]: unknown }>;

/** Groups of a manifest whose packages a lock file has to hold. */
export const GROUPS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/**
 * Whether a lock file is in step with one dependency of the manifest in its folder: true if it is, otherwise what the lock file has instead,
 * or undefined if it does not have the dependency.
 */
export type Steps = (name: string, wanted: string) => true | string | undefined;

/** A dependency that a manifest asks for in one way and its lock file has in another. */
export interface Drift {
  readonly name: string;
  readonly wanted: string;
  /** Undefined when the lock file does not have it at all. */
  readonly locked?: string;
}
