import { randomInt } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PREFIX = "AKIA";

/** The id of an access key that nobody has, made up again each time: nothing of that form is kept in the repository. */
export function makeAwsKey(): string {
  return `${PREFIX}${Array.from({ length: 16 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")}`;
}

/** For printed output: a user who keeps it should not have to know that the key is made up. */
export function maskAwsKeys(text: string): string {
  return text.replaceAll(new RegExp(`${PREFIX}[A-Z2-7]{16}`, "g"), `${PREFIX}…`);
}
