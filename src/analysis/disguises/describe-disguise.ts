import type { Observation } from "../../domain/findings.ts";
import type { Disguise } from "./find-disguises.ts";
import { numberOf } from "./show.ts";

type Described = Pick<Observation, "rule" | "severity" | "confidence" | "message" | "why">;

const ORDER = "Whoever reads this line sees its code in another order than it runs in.";
const NAME =
  "It is another name than the one that it looks like: code that uses it does something else than people read.";
const UNSEEN = "Nobody who reads this line sees them, and the program does.";

const FAR = "Whoever reads the change does not scroll that far, and it runs all the same.";

const KINDS: Readonly<Record<Disguise["kind"], Omit<Described, "rule">>> = {
  "bidi-override": {
    severity: "error",
    confidence: 0.97,
    message: "This line turns the direction of its text around",
    why: ORDER,
  },
  "bidi-open": {
    severity: "error",
    confidence: 0.95,
    message: "A change of direction on this line reaches beyond the text that it begins in",
    why: ORDER,
  },
  "bidi-code": {
    severity: "error",
    confidence: 0.95,
    message: "Characters that steer the direction of text stand in code",
    why: ORDER,
  },
  "bidi-idle": {
    severity: "warning",
    confidence: 0.6,
    message: "Characters that steer the direction of text enclose nothing that is written from right to left",
    why: "They only move what stands between them.",
  },
  "mixed-script": {
    severity: "error",
    confidence: 0.9,
    message: "This name mixes Latin letters with letters of another script that look like them",
    why: NAME,
  },
  "mixed-script-in-string": {
    severity: "warning",
    confidence: 0.7,
    message: "A word of this text mixes Latin letters with letters of another script that look like them",
    why: "It is not equal to the word that it looks like: a comparison with it fails, an address leads elsewhere.",
  },
  "beside-script": {
    severity: "warning",
    confidence: 0.5,
    message: "This name has letters of two scripts side by side",
    why: "Names of one script cannot be mistaken for others.",
  },
  "whole-script": {
    severity: "error",
    confidence: 0.9,
    message: "This name looks like another one in this file, and is written in another script",
    why: NAME,
  },
  "letter-like-mark": {
    severity: "error",
    confidence: 0.95,
    message: "A letter of this name looks like a mark of punctuation",
    why: "What reads as an operator is part of a name: a comparison may be an assignment.",
  },
  "other-form": {
    severity: "error",
    confidence: 0.9,
    message: "This name is written in another form of Latin letters, which Python takes for the plain ones",
    why: "A search for the plain name does not find it, and it runs all the same.",
  },
  "wide-form": {
    severity: "warning",
    confidence: 0.6,
    message: "This name is written in another form of Latin letters",
    why: "It is another name than the one in plain letters, which people take it for.",
  },
  "invisible-code": { severity: "error", confidence: 0.9, message: "Invisible characters stand in code", why: UNSEEN },
  "invisible-text": {
    severity: "info",
    confidence: 0.6,
    message: "Invisible characters stand in a string or comment",
    why: "The text is not equal to the one that it looks like.",
  },
  "invisible-in-word": {
    severity: "warning",
    confidence: 0.7,
    message: "Invisible characters stand within a word, or at its end",
    why: "It is not equal to the word that it looks like: a comparison with it fails, and a package of that name is another one.",
  },
  "look-alike-host": {
    severity: "error",
    confidence: 0.9,
    message: "The host of this address is another one than it looks like",
    why: "Whoever follows or loads it comes to somebody else's server.",
  },
  "invisible-payload": {
    severity: "error",
    confidence: 0.95,
    message: "This line holds many invisible characters, as data or instructions that are hidden in text do",
    why: UNSEEN,
  },
  "hidden-line": {
    severity: "error",
    confidence: 0.9,
    message: "A carriage return stands within this line",
    why: "A terminal writes what follows over what stands before it, and some languages begin a new line there.",
  },
  "odd-line-break": {
    severity: "error",
    confidence: 0.95,
    message: "A line break that editors and git do not show as one stands in code or a comment",
    why: "What follows it on this line runs, also where it looks like the rest of a comment.",
  },
  "terminal-escape": {
    severity: "error",
    confidence: 0.85,
    message: "This line has characters that move the cursor of a terminal, or hide what it shows",
    why: "Whoever looks at it in a terminal sees other text than what stands there.",
  },
  "other-encoding": {
    severity: "error",
    confidence: 0.9,
    message: "This file asks Python to read it in an encoding in which other text than what is seen is code",
    why: "What looks like a comment or a string may run.",
  },
  "escaped-name": {
    severity: "error",
    confidence: 0.9,
    message: "Plain letters of this code are written by their numbers",
    why: "Whoever reads or searches for the name does not find it, and it runs all the same.",
  },
  "off-screen": {
    severity: "error",
    confidence: 0.9,
    message: "Code stands out of sight on this line, behind a long run of blanks",
    why: FAR,
  },
  "off-screen-data": {
    severity: "warning",
    confidence: 0.7,
    message: "Text stands out of sight on this line, behind a long run of blanks",
    why: "Whoever reads the change does not scroll that far.",
  },
};

/** A disguise as people read it, its characters by their numbers. */
export function describeDisguise({ kind, characters }: Disguise): Described {
  const { message, ...rest } = KINDS[kind];
  const named = characters.length === 0 ? "" : `: ${characters.map((each) => `\`${numberOf(each)}\``).join(", ")}`;
  return { ...rest, rule: `disguises/${kind}`, message: `${message}${named}.` };
}
