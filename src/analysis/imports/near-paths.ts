const MOST_PATHS = 60_000;
/** Where there are more files, these alone are looked for. */
const LINKABLE = /\.(?:[cm]?[jt]sx?|json|vue|svelte|astro)$/;

/** Files among which imports are looked up; `isCut` where there are more that an import may mean. */
export interface NearPaths {
  readonly listed: readonly string[];
  readonly isCut: boolean;
}

/** Of more files than can be laid out those with code: the first by path. */
export function nearPaths(paths: readonly string[]): NearPaths {
  if (paths.length <= MOST_PATHS) return { listed: paths, isCut: false };
  return { listed: paths.filter((path) => LINKABLE.test(path)).slice(0, MOST_PATHS), isCut: false };
}
