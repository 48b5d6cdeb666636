import type { Redact } from "../safety/redact.ts";
import { showText } from "../tools/data/show-text.ts";

/** A later remark of a person with push: it takes precedence over the issue. */
export type Wish = { readonly by: string; readonly text: string } & (
  | { readonly as: "note" | "instructions" }
  /** Of a question that an agent asked. */
  | { readonly as: "answer"; readonly question: string }
);

const WISH_CHARACTERS = 6_000;

const WORDS = {
  note: "approved the plan with this note",
  instructions: "gave these instructions",
  answer: "answered a question",
} as const satisfies Record<Wish["as"], string>;

/** One section with every wish, oldest first; none where there are no wishes. */
export async function wishSections(wishes: readonly Wish[], redact: Redact): Promise<string[]> {
  if (wishes.length === 0) return [];
  const texts = await Array.fromAsync(wishes, (wish) => {
    const from = `${wish.by}, may push, ${WORDS[wish.as]}`;
    const text = wish.as === "answer" ? `question: ${wish.question}\nanswer: ${wish.text}` : wish.text;
    return showText({ from, text, prose: true, maxCharacters: WISH_CHARACTERS }, redact);
  });
  return [
    `What people who may push have said since. Where it differs from the issue or from an earlier plan it counts above both; the last word counts:\n${texts.join("\n")}`,
  ];
}
