import type { Severity } from "../../domain/findings.ts";
import type { Place, WorkflowDocument } from "./workflow-document.ts";

/** A dangerous place of a workflow. */
export interface WorkflowDanger extends Place {
  readonly rule: string;
  readonly severity: Severity;
  readonly confidence: number;
  readonly message: string;
  readonly why: string;
}

/** The place of a snippet within a scalar, as far as it stands there as it is. */
export function narrow({ text }: WorkflowDocument, scalar: Place, snippet: string): Place {
  const at = text.slice(scalar.from, scalar.to).indexOf(snippet);
  return at === -1 ? span(scalar) : { from: scalar.from + at, to: scalar.from + at + snippet.length };
}

export function span({ from, to }: Place): Place {
  return { from, to };
}
