import { parseToml } from "../../workspace/parse-toml.ts";
import { textOf } from "./locked-package.ts";
import { record, type WantedPackage, wantedPackage } from "./wanted-package.ts";

/** What Gradle writes before a dependency: `implementation`, `testRuntimeOnly`, `classpath`, and those of plugins by their endings. */
const CONFIGURATION =
  /(?:^|[\s.({])(?:api|classpath|compile|implementation|annotationProcessor|kapt|ksp|platform|enforcedPlatform|mavenBom|dependency|\w{1,80}(?:Api|Implementation|Only|Compile|Classpath|Runtime|Processor))[\s("']/;
const LITERAL = /"([^"\n]{1,300})"|'([^'\n]{1,300})'/g;
const COORDINATES =
  /^([A-Za-z_][\w.-]{0,200}):([A-Za-z_][\w.-]{0,200})(?::([^:@\s/]{0,100}))?(?::[\w.-]{1,100})?(?:@\w{1,20})?$/;
/** What a version begins with, so that three words with colons between them are no path of a task. */
const VERSION_LIKE = /^(?:\d|[[(+$]|latest\.)/;
const BY_NAMES =
  /\bgroup\s{0,9}[:=]\s{0,9}["']([\w.-]{1,200})["']\s{0,9},\s{0,9}name\s{0,9}[:=]\s{0,9}["']([\w.-]{1,200})["'](?:\s{0,9},\s{0,9}version\s{0,9}[:=]\s{0,9}["']?([^"',)\s]{1,100}))?/;
const PLUGIN = /\bid[\s(]{1,9}["']([\w.-]{1,200})["']\)?\s{1,9}version[\s(]{1,9}["']?([^"')\s]{1,100})/;
const KOTLIN_PLUGIN = /\bkotlin\("([\w.-]{1,100})"\)\s{1,9}version[\s(]{1,9}"([^"\s]{1,100})"/;
const FOREIGN_SCRIPT = /\bapply[\s(]{1,9}from\s{0,9}[:=]\s{0,9}(?:uri\()?["'](https?:[^"'\s]{1,300})["']/;
const ADDRESS = /\b(?:url|setUrl|uri)\b[^"'\n]{0,40}["'](https?:[^"'\s]{1,300})["']/;
const ASSIGNED = /(?:^|[\s.({])([A-Za-z_][\w.]{0,100})\s{0,9}=\s{0,9}["']([^"'$\s]{1,100})["']/;

const LONGEST_LINE = 1_000;

/**
 * `build.gradle` and others of Gradle, in Groovy or Kotlin: what is written with its coordinates, with variables of the same file put in; plugins
 * with a version, scripts of other servers and repositories by address, which nobody can look up. What is named by a catalog is read there.
 */
export function readGradle(text: string): WantedPackage[] {
  const lines = text.split("\n").map((line) => line.slice(0, LONGEST_LINE));
  const values = valuesOf(lines);
  let before = "";
  return lines.flatMap((line) => {
    if (/^\s*(?:\/\/|$)/.test(line)) return [];
    const near = `${before} ${line}`;
    before = line;
    return [...packagesOf(line, values), ...othersOf(line, /\b(?:maven|ivy)\b/.test(near))];
  });
}

/** Variables with a fixed text, by their whole names and by the last part of them. */
function valuesOf(lines: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = ASSIGNED.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    values.set(name, value);
    values.set(name.slice(name.lastIndexOf(".") + 1), value);
  }
  return values;
}

function packagesOf(line: string, values: ReadonlyMap<string, string>): WantedPackage[] {
  const [, group, name, version = ""] = BY_NAMES.exec(line) ?? [];
  if (group !== undefined && name !== undefined) return [maven(`${group}:${name}`, values.get(version) ?? version)];
  const isDependency = CONFIGURATION.test(line);
  return [...line.matchAll(LITERAL)].flatMap(([, double, single = ""]) => {
    const written = double ?? single;
    const filled = written.replace(
      /\$(?:\{([\w.]{1,100})\}|(\w{1,100}))/g,
      (whole, braced: string | undefined, bare = "") => values.get(braced ?? bare) ?? whole,
    );
    const [, of, artifact, wanted] = COORDINATES.exec(filled) ?? [];
    if (of === undefined || artifact === undefined) {
      return isDependency && !filled.includes("://") && filled.includes("$") && filled.includes(":")
        ? [maven(filled, "")]
        : [];
    }
    const isMeant = isDependency || (wanted ? VERSION_LIKE.test(wanted) : /\./.test(of));
    return isMeant ? [maven(`${of}:${artifact}`, wanted ?? "")] : [];
  });
}

/** What is loaded without coordinates. */
function othersOf(line: string, isRepository: boolean): WantedPackage[] {
  const [, id, version = ""] = PLUGIN.exec(line) ?? [];
  const [, kotlin, kotlinVersion = ""] = KOTLIN_PLUGIN.exec(line) ?? [];
  const script = FOREIGN_SCRIPT.exec(line)?.[1];
  const address = isRepository ? ADDRESS.exec(line)?.[1] : undefined;
  return [
    ...(id === undefined ? [] : [unknown(`plugin ${id}`, version)]),
    ...(kotlin === undefined ? [] : [unknown(`plugin kotlin ${kotlin}`, kotlinVersion)]),
    ...(script === undefined ? [] : [unknown("script", script)]),
    ...(address === undefined ? [] : [unknown("packages from", address)]),
  ];
}

function maven(name: string, wanted: string): WantedPackage {
  const version = wanted.replace(/!!$/, "");
  // A snapshot is another thing every day.
  const isOne = /^\d[\w.-]{0,99}(?:\+[\w.-]{1,50})?$/.test(version) && !/-SNAPSHOT$|\.$/.test(version);
  return wantedPackage("Maven", name, wanted, isOne ? version : undefined);
}

function unknown(name: string, wanted: string): WantedPackage {
  return wantedPackage("Maven", name, wanted, undefined);
}

/** `libs.versions.toml`, a catalog of Gradle. */
export function readCatalog(text: string): WantedPackage[] | undefined {
  const root = parseToml(text);
  if (root === undefined) return undefined;
  const versions = record(root.versions);
  const versionOf = (value: unknown): string => {
    const ref = textOf(record(value).ref);
    if (ref === undefined) return fixedVersion(value);
    // What a reference leads to is no reference for Gradle.
    return Object.hasOwn(versions, ref) ? fixedVersion(versions[ref]) : "";
  };
  const fixedVersion = (value: unknown): string => {
    const of = record(value);
    return textOf(value) ?? textOf(of.strictly) ?? textOf(of.require) ?? textOf(of.prefer) ?? "";
  };
  const libraries = Object.values(record(root.libraries)).flatMap((value): WantedPackage[] => {
    const of = record(value);
    const [group, artifact, short] = (
      textOf(value) ??
      textOf(of.module) ??
      `${textOf(of.group)}:${textOf(of.name)}`
    ).split(":");
    return artifact === undefined ? [] : [maven(`${group}:${artifact}`, short ?? versionOf(of.version))];
  });
  const plugins = Object.values(record(root.plugins)).flatMap((value): WantedPackage[] => {
    const [id = "", short] = (textOf(value) ?? textOf(record(value).id) ?? "").split(":");
    return id === "" ? [] : [unknown(`plugin ${id}`, short ?? versionOf(record(value).version))];
  });
  return [...libraries, ...plugins];
}
