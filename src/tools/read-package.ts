import { z } from "zod";
import type { Redact } from "../safety/redact.ts";
import type { RepositoryFiles } from "../workspace/files/repository-files.ts";
import { fenceData } from "./data/fence-data.ts";
import { shownPath } from "./data/show-text.ts";
import { grep } from "./grep.ts";
import type { PackagesPort } from "./ports.ts";
import { readFile } from "./read-file.ts";
import { given, type Tool, ToolFailure, type ToolResult } from "./tool.ts";

/** Of npm and of Python; each of them is the name of a folder, or of one in a scope. */
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/;
const MOST_LISTED = 60;

const Input = z.object({
  name: z.string().regex(NAME, "the name of a package, such as zod or @types/node").max(214),
  path: z.string().max(500).optional().describe("A file of the package; without it its manifest and files are listed"),
  pattern: z.string().min(1).max(300).optional().describe("A regular expression to search its files for instead"),
  from_line: z.number().int().min(1).optional(),
  to_line: z.number().int().min(1).optional(),
});
type Input = z.infer<typeof Input>;

export interface ReadPackageDependencies {
  /** Undefined where no packages are installed. */
  readonly packages: PackagesPort | undefined;
  readonly redact: Redact;
}

export function readPackage({ packages, redact }: ReadPackageDependencies): Tool<Input> {
  return {
    name: "read_package",
    description:
      "Shows an installed package that the repository depends on, in the version that is installed: its manifest and the list of its files with types first, one of its files, or the lines of it that match a pattern. Use it before you say how a dependency behaves.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 30_000,
    run: async ({ name, path, pattern, from_line, to_line }, context) => {
      if (packages === undefined)
        throw new ToolFailure("not_installed", "No packages are installed here: how one behaves cannot be looked up.");
      const files = await packages.open(name);
      if (files === undefined)
        throw new ToolFailure("not_installed", `The package ${name} is not installed for this repository.`);
      if (pattern !== undefined) {
        const tool = grep({ files, redact });
        // A package is built code: a few lines say enough, and some are very long.
        return tool.run(tool.inputSchema.parse({ pattern, max_matches: 60, ...(path ? { path } : {}) }), context);
      }
      if (path === undefined) return overview(name, files, context.signal);
      return readFile({ files, redact }).run({ path, from_line, to_line }, context);
    },
  };
}

/** What of a manifest says how the package is used. */
const Manifest = z.object({
  version: z.string().optional().catch(undefined),
  types: z.string().optional().catch(undefined),
  typings: z.string().optional().catch(undefined),
  main: z.string().optional().catch(undefined),
  exports: z.unknown().optional(),
  type: z.string().optional().catch(undefined),
});

async function overview(name: string, files: RepositoryFiles, signal: AbortSignal): Promise<ToolResult> {
  const { paths } = given(await files.list(signal));
  const read = await files.read("package.json", signal);
  const manifest = read.ok ? Manifest.safeParse(parseJson(read.content.toString("utf8"))).data : undefined;
  const shown = [...paths].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, MOST_LISTED);
  const rest = paths.length - shown.length;
  const rows = [
    ...(manifest ? [JSON.stringify(manifest).slice(0, 2_000)] : []),
    ...shown.map(shownPath),
    ...(rest > 0 ? [`and ${rest} more: search them with a pattern`] : []),
  ];
  return { text: fenceData(`package ${name}`, rows.join("\n")), metrics: { files: paths.length } };
}

/** Types say most in the fewest lines; what is minified or a map says nothing. */
function rank(path: string): number {
  if (/\.d\.[cm]?ts$/.test(path)) return 0;
  if (/\.min\.|\.map$/.test(path)) return 4;
  if (/\.(?:[cm]?[jt]s|py|pyi)$/.test(path)) return 1;
  return /^(?:readme|changelog)/i.test(path) ? 2 : 3;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
