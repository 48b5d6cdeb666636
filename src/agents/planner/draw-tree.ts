import { reasonByName } from "../../analysis/classify-file.ts";
import { cutLines } from "../../tools/data/cut.ts";
import { shownPath } from "../../tools/data/listing.ts";

/** Less and less is shown until it fits: names in a folder, then folders in depth. */
const STEPS = [
  { names: 80, depth: 20 },
  { names: 25, depth: 20 },
  { names: 10, depth: 20 },
  { names: 4, depth: 20 },
  { names: 2, depth: 20 },
  { names: 0, depth: 6 },
  { names: 0, depth: 4 },
  { names: 0, depth: 3 },
  { names: 0, depth: 2 },
  { names: 0, depth: 1 },
] as const;

/**
 * The files of a repository, a line for each folder, in at most so many characters: of a large one only how many there are in which
 * folder. What programs wrote (vendored, generated) is counted, never named.
 */
export function drawTree(paths: readonly string[], maxCharacters: number): string {
  const files = paths.toSorted().map((path): File => {
    const made = reasonByName(path);
    return { parts: path.split("/"), written: made !== undefined && made !== "a lock file" };
  });
  for (const step of STEPS) {
    const lines = draw(files, step);
    const text = lines.join("\n");
    if (text.length <= maxCharacters) return text;
    if (step === STEPS.at(-1)) {
      const cut = cutLines(lines, maxCharacters);
      return [...cut.lines, `[cut here: ${cut.left} more folders]`].join("\n");
    }
  }
  return "";
}

interface File {
  readonly parts: readonly string[];
  /** By a program: nobody has to know its name. */
  readonly written: boolean;
}

interface Folder {
  readonly names: string[];
  written: number;
  deeper: number;
}

function draw(files: readonly File[], { names, depth }: (typeof STEPS)[number]): string[] {
  const folders = new Map<string, Folder>();
  const at = (parts: readonly string[]) => {
    const path = parts.join("/");
    const folder = folders.get(path) ?? { names: [], written: 0, deeper: 0 };
    folders.set(path, folder);
    return folder;
  };
  for (const { parts, written } of files) {
    const above = parts.slice(0, -1);
    const top = written ? Math.min(depth, 1) : depth;
    if (above.length > top) at(above.slice(0, top)).deeper += 1;
    else if (written) at(above).written += 1;
    else at(above).names.push(parts.at(-1) ?? "");
  }
  return [...folders].map(([path, folder]) => `${path === "" ? "." : shownPath(path)}/: ${describe(folder, names)}`);
}

function describe({ names, written, deeper }: Folder, most: number): string {
  const shown = names.slice(0, most).map(shownPath);
  const rest = names.length - shown.length;
  const counts = [
    ...(rest === 0 ? [] : [shown.length === 0 ? counted(rest) : `and ${rest} more`]),
    ...(written === 0 ? [] : [`${counted(written)} that programs wrote`]),
    ...(deeper === 0 ? [] : [`${counted(deeper)} further down`]),
  ];
  return [...shown, ...counts].join(", ");
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}
