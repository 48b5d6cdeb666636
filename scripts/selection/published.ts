import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { isSettings } from "../../src/analysis/tests/selection/file-kinds.ts";
import { isTestName } from "../../src/analysis/tests/test-names.ts";
import { downloadVersions } from "../silence/published-versions.ts";
import type { Mutation } from "./project.ts";
import type { Source } from "./run-project.ts";

/** Packages of npm that bring their tests along, in fixed versions, with what these need. */
export const PUBLISHED: readonly {
  readonly name: string;
  readonly version: string;
  readonly packages: readonly string[];
}[] = [
  { name: "minimist", version: "1.2.8", packages: ["tape@5.7.5"] },
  { name: "ejs", version: "1.0.0", packages: ["mocha@10.4.0", "should@1.3.0"] },
  {
    name: "detective",
    version: "5.2.1",
    packages: ["tape@5.7.5", "acorn-node@1.8.2", "defined@1.0.1", "minimist@1.2.8", "tap@npm:tape@5.7.5"],
  },
  {
    name: "resolve",
    version: "1.22.8",
    packages: [
      "tape@5.7.5",
      "is-core-module@2.13.1",
      "path-parse@1.0.7",
      "supports-preserve-symlinks-flag@1.0.0",
      "array.prototype.map@1.0.6",
      "copy-dir@1.3.0",
      "mkdirp@0.5.5",
      "mv@2.1.1",
      "object-keys@1.1.1",
      "rimraf@2.7.1",
      "semver@6.3.1",
      "tap@npm:tape@5.7.5",
      "tmp@0.0.31",
      "safe-publish-latest@2.0.0",
    ],
  },
  { name: "flat", version: "5.0.2", packages: ["mocha@10.4.0"] },
];

const MOST_BYTES = 100_000;
const SWAPS: readonly (readonly [from: string, to: string])[] = [
  ["===", "!=="],
  ["!==", "==="],
  [" + ", " - "],
  ["return ", "return !"],
  ["true", "false"],
];

/** @param most mutations: of as many files, code and others in turn */
export function publishedSource(
  { name, version }: (typeof PUBLISHED)[number],
  { downloads, packages, most }: { readonly downloads: string; readonly packages: string; readonly most: number },
): Source {
  const [place = ""] = downloadVersions(name, [version], join(downloads, name));
  const root = join(place, "package");
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => relative(root, join(each.parentPath, each.name)))
    .sort();
  const mutations = paths.flatMap((path) => mutate(root, path));
  const step = Math.max(1, mutations.length / most);
  const chosen = Array.from({ length: Math.min(most, mutations.length) }, (_, at) => mutations[Math.floor(at * step)]!);
  return {
    name: `${name} ${version}`,
    copyTo: (folder) => cpSync(root, folder, { recursive: true }),
    ...{ packages, mutations: chosen, paths: new Set(paths), isTold: false },
  };
}

/** One change of a file that is neither a test nor what asks for all tests anyway. */
function mutate(root: string, path: string): Mutation[] {
  if (isTestName(path) || isSettings(path) || /^tests?\/[^/]+\.js$/.test(path)) return [];
  if (statSync(join(root, path)).size > MOST_BYTES) return [];
  const text = readFileSync(join(root, path), "utf8");
  if (text.includes("\0") || text.length < 4) return [];
  const swap = /\.[cm]?[jt]s$/.test(path) ? SWAPS.find(([from]) => text.includes(from)) : undefined;
  const to = swap ? text.replace(...swap) : text.slice(0, Math.floor(text.length / 2));
  return [{ what: path, to: { [path]: to }, breaks: [] }];
}
