import type { Wording } from "../words/wording.ts";

/** The id of a run; logs of subjects have others, and no page. */
const RUN_ID = /^[0-9A-Z]{26}$/;

/** Where a check leads: to the page of its run, where this Forge has pages (OPS-2). */
export function runPage(runId: string, { pages }: Wording): { readonly detailsUrl?: string } {
  return pages !== undefined && RUN_ID.test(runId) ? { detailsUrl: new URL(`/runs/${runId}`, pages).href } : {};
}
