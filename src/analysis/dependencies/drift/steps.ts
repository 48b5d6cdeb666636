export type Record = Readonly<{ [key: string]: unknown }>;

/** Groups of a manifest whose packages a lock file has to hold. */
export const GROUPS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/**
 * Whether a lock file is in step with one dependency of the manifest in its folder: true if it is, otherwise what the lock file has instead,
 * or undefined if it does not have the dependency.
 */
export type Steps = (name: string, wanted: string) => true | string | undefined;
