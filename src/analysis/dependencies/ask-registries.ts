import { defined } from "../../domain/defined.ts";
import type { Observation } from "../../domain/findings.ts";
import type { RegistryLookups, Unsought } from "../../domain/review-report.ts";
import type { AnalyserContext } from "../analyser.ts";
import type { SourceFile } from "../source-file.ts";
import { ECOSYSTEMS, type Ecosystem, type PackageName } from "./advisory-source.ts";
import { isPublic } from "./package-address.ts";
import { openPrivateRegistries } from "./private-registries.ts";
import { pythonName } from "./python-name.ts";
import { REGISTRY_QUESTIONS } from "./registry-questions.ts";
import { MOST_NAMES } from "./registry-source.ts";

/** A package that a change adds, and the file that asks for it. */
export interface Sought extends PackageName {
  readonly file: SourceFile;
  readonly line: number;
  readonly endLine: number;
  /** Absent where no lock file says from where it comes. */
  readonly registry?: string;
  /** As a manifest asks for it, where no lock file has it: may be an address. */
  readonly wanted?: string;
}

interface Asked<T> {
  readonly missing: readonly T[];
  readonly registries: RegistryLookups;
}

/** Has packages of npm whose names say nothing of a registry of npm. */
const OTHERS = ["npm.jsr.io"];

/**
 * Asks registries whether they have the packages that a change adds, each name once. Asked is only of what nothing says to come from
 * elsewhere: a private package is unknown to everyone else (REV-8).
 * @returns undefined where no registry may be asked
 */
export async function askRegistries<T extends Sought>(
  all: readonly T[],
  changed: ReadonlyMap<string, SourceFile>,
  context: Pick<AnalyserContext, "advisories" | "signal" | "tree">,
): Promise<Asked<T> | undefined> {
  const source = context.advisories?.registries;
  const sought = all.filter(isPackage);
  if (source === undefined || sought.length === 0) return undefined;
  const names = Map.groupBy(sought, keyOf);
  const isPrivateAt = new Map<string, ReadonlySet<Ecosystem>>();
  const own = ownNames(context.tree?.paths ?? [], new Set(sought.map(({ file }) => file)));
  const readPrivate = openPrivateRegistries(changed, context);
  for (const [path, of] of Map.groupBy(sought, ({ file }) => file.path)) {
    const open = of.filter((one) => one.registry === undefined && source.ecosystems.includes(one.ecosystem));
    const ecosystems = new Set(open.map(({ ecosystem }) => ecosystem));
    isPrivateAt.set(path, await readPrivate(path, ecosystems));
  }
  const left = new Map<Unsought, number>();
  const leave = (why: Unsought, count = 1) => left.set(why, (left.get(why) ?? 0) + count);
  const asked: PackageName[] = [];
  for (const same of names.values()) {
    const { ecosystem, name } = same[0]!;
    if (!source.ecosystems.includes(ecosystem)) leave("ecosystem");
    else if (same.some((one) => isElsewhere(one, isPrivateAt) || isOwn(one, own))) leave("private");
    else if (ecosystem === "npm" && name.startsWith("@") && same.every((one) => one.registry === undefined))
      leave("scope");
    else asked.push({ ecosystem, name });
  }
  if (asked.length > MOST_NAMES) leave("limit", asked.length - MOST_NAMES);
  const answer = await source.query(asked, context.signal);
  if (answer.unanswered.length > 0) leave("unanswered", answer.unanswered.length);
  const aliens = ECOSYSTEMS.filter((one) => !source.ecosystems.includes(one) && byEcosystem(sought, one));
  const details: Partial<Record<Unsought, string | undefined>> = {
    ecosystem: aliens.join(", "),
    unanswered: answer.unchecked,
  };
  return {
    missing: answer.missing.map((one) => names.get(keyOf(one))![0]!),
    registries: {
      asked: Math.min(asked.length, MOST_NAMES) - answer.unanswered.length,
      missing: answer.missing.length,
      unasked: [...left].map(([why, count]) => ({ why, count, ...defined({ detail: details[why] }) })),
    },
  };
}

/** One finding for a name that its registry does not have. Where a lock file says that it comes from there, nothing else can be meant. */
export function describeMissing({
  ecosystem,
  name,
  registry,
}: Sought): Pick<Observation, "rule" | "severity" | "confidence" | "message" | "why"> {
  return {
    rule: "dependencies/unknown-package",
    severity: registry === undefined ? "warning" : "error",
    confidence: 0.8,
    message: `${REGISTRY_QUESTIONS[ecosystem]!.title} has no package named ${name}.`,
    why: "The name may be misspelled or made up. Anybody can publish a package under it, and installations would run that code. If it comes from a registry of your own, name that registry in a settings file of the repository.",
  };
}

function isElsewhere(one: Sought, isPrivateAt: ReadonlyMap<string, ReadonlySet<Ecosystem>>): boolean {
  const { ecosystem, registry, file, wanted = "" } = one;
  // Manifests of TOML have a table there.
  if (/[:/]/.test(wanted) || wanted === "from git") return true;
  if (registry === undefined) return isPrivateAt.get(file.path)?.has(ecosystem) ?? false;
  return !isPublic(ecosystem, registry) || OTHERS.includes(registry);
}

/** Composer names itself, PHP and its extensions without an owner. */
function isPackage({ ecosystem, name }: Sought): boolean {
  return ecosystem !== "Packagist" || name.includes("/");
}

/** Without a lock file that says otherwise, a package may lie in the folder that has its name. */
function isOwn({ name, registry }: Sought, own: ReadonlySet<string>): boolean {
  return registry === undefined && own.has(pythonName(name));
}

/** Names of folders, and the names that manifests give themselves in TOML: some ask for their own extras. */
function ownNames(paths: readonly string[], manifests: ReadonlySet<SourceFile>): ReadonlySet<string> {
  const folders = new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))));
  const named = [...manifests].filter(({ path }) => path.endsWith("pyproject.toml") || path.endsWith("Cargo.toml"));
  const names = named.flatMap(({ text }) =>
    text.split("\n").flatMap((line) => {
      const [key = "", value = ""] = line.split("=", 2);
      return key.trim() === "name" ? [value.replace(/["'\s]/g, "")] : [];
    }),
  );
  return new Set([...[...folders].flatMap((folder) => folder.split("/")), ...names].map(pythonName));
}

function byEcosystem(sought: readonly Sought[], ecosystem: Ecosystem): boolean {
  return sought.some((one) => one.ecosystem === ecosystem);
}

function keyOf({ ecosystem, name }: PackageName): string {
  return `${ecosystem}\0${name}`;
}
