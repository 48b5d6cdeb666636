import { type GivenSettings, parseConfiguration } from "../../../analysis/configuration/parse-configuration.ts";
import { CONFIGURATION_PATH, RepoConfig } from "../../../domain/repo-config.ts";

/** Where an effective setting comes from, weakest first. */
export type SettingOrigin = "default" | "organisation" | "repository";

/** One setting in force. Lists are settings as a whole; maps are taken apart. */
export interface Setting {
  /** `review.max_comments` */
  readonly path: string;
  readonly value: unknown;
  readonly origin: SettingOrigin;
}

export interface EffectiveConfiguration {
  readonly value: RepoConfig;
  /** Every setting of `value`, in the order of the schema. */
  readonly settings: readonly Setting[];
}

export interface GivenLayers {
  readonly organisation?: GivenSettings | undefined;
  readonly repository?: GivenSettings | undefined;
}

/**
 * The repository's settings over its organisation's over the defaults (CONF-1): maps are joined key by key, everything else is replaced as
 * a whole. Both layers must have been accepted by the schema.
 */
export function effectiveConfiguration({ organisation = {}, repository = {} }: GivenLayers): EffectiveConfiguration {
  const value = RepoConfig.parse(join(organisation, repository));
  const originOf = (path: readonly string[]): SettingOrigin => {
    if (isGiven(repository, path)) return "repository";
    return isGiven(organisation, path) ? "organisation" : "default";
  };
  const settings = leavesOf(value).map((leaf) => ({
    path: leaf.path.join("."),
    value: leaf.value,
    origin: originOf(leaf.path),
  }));
  return { value, settings };
}

/** Object.fromEntries makes an own property of any name, also of `__proto__`. */
function join(below: unknown, above: unknown): unknown {
  if (!isMap(below) || !isMap(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries(
    [...keys].map((key) => {
      if (!Object.hasOwn(above, key)) return [key, below[key]];
      return [key, Object.hasOwn(below, key) ? join(below[key], above[key]) : above[key]];
    }),
  );
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (!isMap(value) || (path.length > 0 && Object.keys(value).length === 0)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, below]) => leavesOf(below, [...path, key]));
}

function isGiven(settings: GivenSettings, path: readonly string[]): boolean {
  let value: unknown = settings;
  for (const key of path) {
    if (!isMap(value) || !Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One file of configuration as it was found. */
export interface FoundConfiguration {
  /** Undefined where there is no such file. */
  readonly text: string | undefined;
  /** The last text of it that was accepted. */
  readonly lastGood?: string | undefined;
  /** Follows the file's name: "on the default branch", "of `acme/.github`". */
  readonly where: string;
}

export interface SettledConfiguration {
  readonly given: GivenSettings;
  /** The fault of the file and the configuration in force instead, in sentences. */
  readonly problem?: string;
}

/** What a file says, or what it said when it was last right (CONF-1); the defaults only when it never was. */
export function settleConfiguration({ text, lastGood, where }: FoundConfiguration): SettledConfiguration {
  const found = parseConfiguration(text ?? "");
  if (found.ok) return { given: found.given };
  const earlier = lastGood === undefined ? undefined : parseConfiguration(lastGood);
  const [first, ...others] = found.mistakes;
  const more = others.length > 0 ? ` And ${others.length} more.` : "";
  const instead = earlier?.ok ? "its last version without a mistake stays in force" : "the defaults were used";
  const detail = `line ${first!.line}: ${first!.message}${more}`;
  return {
    given: earlier?.ok ? earlier.given : {},
    problem: `\`${CONFIGURATION_PATH}\` ${where} is wrong, so ${instead}: ${detail}`,
  };
}
