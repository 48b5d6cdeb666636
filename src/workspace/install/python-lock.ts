/** A lock file for Python, of any format: packages, and which of them need which. */
export interface PythonLock {
  /** Direct requirements of the project and of its tests. */
  readonly roots: readonly Need[];
  /** By a key that only the reader knows. */
  readonly packages: ReadonlyMap<string, Locked>;
  /** Packages that the repository itself holds. */
  readonly own: readonly OwnPackage[];
}

export interface Need {
  readonly key: string;
  /** An environment marker; empty where it is needed everywhere. */
  readonly marker: string;
}

/** A package, or an extra of one. */
export interface Locked {
  readonly needs: readonly Need[];
  /** What is to be installed, if anything: an extra and a folder of the repository have nothing of their own. */
  readonly archive?: Archive;
  /** Why it cannot be installed, as the end of a sentence that begins with the file. */
  readonly fault?: string;
}

export interface Archive {
  readonly name: string;
  readonly version: string;
  readonly files: readonly { readonly hash: string; readonly isWheel: boolean }[];
}

export interface OwnPackage {
  /** From the root; empty for the root itself. */
  readonly folder: string;
  readonly name: string;
  /** Undefined where it is made up when the package is built. */
  readonly version: string | undefined;
}

/** Groups and extras that tests are run with, beside what a project says itself. */
const FOR_TESTS = /^(?:dev|develop|development|tests?|testing|unit[-_.]?tests?|pytest)$/i;

export function isForTests(group: string): boolean {
  return FOR_TESTS.test(group);
}

/** As registries compare names. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** Requirements for pip and packages left out, each of these as the end of a sentence that begins with the file. */
export interface LockedRequirements {
  readonly text: string;
  readonly leftOut: readonly string[];
}

/**
 * Requirements for pip: each package in its one version, by its hashes, under the conditions on which something needs it. Which of them
 * hold is for pip to say, as it knows the machine.
 * @returns why nothing can be installed, as the end of a sentence that begins with the file
 */
export function lockedRequirements(lock: PythonLock): LockedRequirements | { readonly reason: string } {
  const reached = conditionsOf(lock);
  if (reached === undefined) return { reason: "has more conditions than can be followed" };
  const lines: string[] = [];
  const leftOut: string[] = [];
  for (const [key, conditions] of reached) {
    const { fault, archive } = lock.packages.get(key) ?? { fault: "names a package that it does not describe" };
    if (archive === undefined) {
      if (fault !== undefined) leftOut.push(fault);
      continue;
    }
    const line = lineOf(archive, conditions);
    if (line === undefined) return { reason: "holds something that is no package by its name" };
    if (archive.files.some(({ isWheel }) => isWheel)) lines.push(line);
    else leftOut.push(`has ${archive.name} as sources alone, which would have to be built`);
  }
  if (lines.length === 0 && leftOut.length > 0) return { reason: leftOut[0]! };
  return {
    text: [...new Set(lines)]
      .sort()
      .map((line) => `${line}\n`)
      .join(""),
    leftOut: [...new Set(leftOut)],
  };
}

/** Markers that hold all together. */
type Condition = ReadonlySet<string>;

const MOST_CONDITIONS = 64;
const MOST_MARKERS = 64;
const MOST_STEPS = 200_000;

/**
 * Every package that is reached from the roots, with the ways on which it is: the markers along each, less those ways that say more than
 * another one. Undefined where they are too many.
 */
function conditionsOf({ roots, packages }: PythonLock): ReadonlyMap<string, readonly Condition[]> | undefined {
  const found = new Map<string, Condition[]>();
  const open: { readonly need: Need; readonly so: Condition }[] = roots.map((need) => ({ need, so: new Set() }));
  for (let step = 0; step < open.length; step += 1) {
    const { need, so } = open[step]!;
    const condition = need.marker === "" ? so : new Set([...so, need.marker]);
    const known = found.get(need.key) ?? [];
    if (known.some((each) => each.isSubsetOf(condition))) continue;
    const kept = [...known.filter((each) => !condition.isSubsetOf(each)), condition];
    if (kept.length > MOST_CONDITIONS || condition.size > MOST_MARKERS || open.length > MOST_STEPS) return undefined;
    found.set(need.key, kept);
    for (const each of packages.get(need.key)?.needs ?? []) open.push({ need: each, so: condition });
  }
  return found;
}

const NAME = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/;
const VERSION = /^[\w.!+]+$/;
const HASH = /^sha256:[0-9a-f]{64}$/;
/** No character that ends a marker for pip, or that it replaces. */
const MARKER = /^[\w .'"()<>=!~,+*-]+$/;

/** Undefined where a part of it is not what it is called: nothing of a lock file becomes an option of pip. */
function lineOf({ name, version, files }: Archive, conditions: readonly Condition[]): string | undefined {
  const markers = conditions.flatMap((condition) => [...condition]);
  const isClean =
    NAME.test(name) &&
    VERSION.test(version) &&
    files.length > 0 &&
    files.every(({ hash }) => HASH.test(hash)) &&
    markers.every((marker) => MARKER.test(marker) && !/(?:^|\s)-/.test(marker));
  if (!isClean) return undefined;
  const hashes = [...new Set(files.map(({ hash }) => ` --hash=${hash}`))].join("");
  const ways = conditions.map((condition) => [...condition].map((marker) => `(${marker})`).join(" and "));
  const whole = ways.length === 1 ? ways : ways.map((way) => (way.includes(") and (") ? `(${way})` : way));
  const when = ways.includes("") ? "" : ` ; ${whole.join(" or ")}`;
  return `${name}==${version}${when}${hashes}`;
}

const ALWAYS = "python_version >= '0'";
const NEVER = "python_version < '0'";

/** A marker in which the question for an extra is answered: pip knows none in a list of requirements. */
export function answerExtras(marker: string, chosen: ReadonlySet<string>): string {
  return marker.replace(/\bextra\s*(==|!=)\s*(?:'([^']*)'|"([^"]*)")/g, (_, how: string, one = "", other = "") =>
    chosen.has(one || other) === (how === "==") ? ALWAYS : NEVER,
  );
}

/** Whether packages come from a registry that pip is let to; what is not said is the usual one. */
export function isRegistry(address: string | undefined, registries: readonly string[]): boolean {
  const host = URL.parse(address ?? "https://pypi.org/simple")?.host;
  // Whatever index pip is given takes its place: the hashes say that it is the same.
  return host === "pypi.org" || (host !== undefined && registries.includes(host));
}

/** The host alone, as an address may hold more than should be shown. */
export function sourceFault(name: string, kind: string, address: string): string {
  const host = URL.parse(address.replace(/^git\+/, ""))?.host;
  if (kind === "git") return `takes ${name} from a git repository, which would have to be built`;
  if (host) return `takes ${name} from ${host}, which is none of the registries that are allowed here`;
  return `takes ${name} from ${JSON.stringify(address)}, which is no registry`;
}
