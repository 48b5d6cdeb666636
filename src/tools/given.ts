import { ToolFailure } from "./tool.ts";

/** The good outcome of a power; a refusal becomes the failure that the model reads. */
export function given<T extends { readonly ok: boolean }>(outcome: T): Extract<T, { readonly ok: true }> {
  if (isGood(outcome)) return outcome;
  const { reason = "refused", detail = "It was refused." } = outcome as { reason?: string; detail?: string };
  throw new ToolFailure(reason.replaceAll(" ", "_").replaceAll("'", ""), detail);
}

function isGood<T extends { readonly ok: boolean }>(outcome: T): outcome is Extract<T, { readonly ok: true }> {
  return outcome.ok;
}
