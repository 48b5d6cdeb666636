import { type Redact, redactAside } from "../../../safety/redact.ts";

interface AuthorsWords {
  readonly description?: string | undefined;
  readonly messages?: readonly string[] | undefined;
}

/** Twice the characters that a reader of the change is shown. */
const MOST = { description: 8_000, message: 1_200 } as const;

/**
 * The author's description and commit messages, short enough to work with on the main thread (OPS-8). A message may have 256 kB. Long texts
 * are redacted before the cut: half a secret is not recognized.
 */
export async function wordsOfAuthor({ description, messages }: AuthorsWords, redact: Redact): Promise<AuthorsWords> {
  const shorten = async (text: string, most: number) =>
    text.length <= most ? text : (await redactAside(text, redact)).slice(0, most);
  return {
    description: description === undefined ? undefined : await shorten(description, MOST.description),
    messages: messages && (await Promise.all(messages.map((text) => shorten(text, MOST.message)))),
  };
}
