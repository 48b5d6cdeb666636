import type { ReviewCoverage } from "../../domain/review-report.ts";
import { count } from "./wording.ts";

/** What a review should have looked at and did not (GH-11a), in a few words; undefined when it saw everything. The text is not neutral yet. */
export function missingPart({ layers, uncovered }: ReviewCoverage): string | undefined {
  const layer = layers.find(({ state }) => state === "failed") ?? layers.find(({ state }) => state === "partly");
  const gaps = uncovered.filter(({ gap }) => gap);
  if (layer?.state === "failed") return layer.reason ?? `the ${layerName(layer.layer)} layer did not run`;
  if (layer && gaps.length === 0) return layer.reason ?? `the ${layerName(layer.layer)} layer did not see everything`;
  const waiting = layers.find(({ state }) => state === "waiting");
  if (waiting && gaps.length === 0) return `the ${layerName(waiting.layer)} layer waits for \`/forge trust\``;
  if (gaps.length === 0) return undefined;
  const [first] = gaps;
  const which = gaps.length === 1 ? `${first!.path} (${first!.reason})` : count(gaps.length, "file");
  return `left out ${which}`;
}

export function layerName(layer: string): string {
  return layer === "ai" ? "AI" : layer;
}
