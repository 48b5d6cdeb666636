import type { Answer } from "../../domain/answers.ts";

/** What is said to `/forge retry v12`: what goes on, and what was done since and stays. */
export function restoredText({ version, phase, lasting }: Extract<Answer, { kind: "restored" }>): string {
  return [`Back at \`v${version}\`: ${phase} begins anew.`, "", ...lasting.map((one) => `- ${one}`)].join("\n");
}
