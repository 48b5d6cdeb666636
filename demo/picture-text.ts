import { maskAwsKeys } from "./aws-key.ts";
import type { Comment, PullRequest } from "./show.ts";
import { reviewsOf } from "./show.ts";

/** Next to the picture of README.md. */
export const PICTURE_TEXT = new URL("../docs/pictures/pull-request.txt", import.meta.url);

/**
 * What Forge says in the picture of README.md, without what differs each time: commits, the IDs of findings, addresses and the key. The demo
 * compares it, so the picture does not show what Forge no longer says.
 */
export function pictureText(pull: PullRequest): string {
  const review = reviewsOf(pull)[0];
  const comments = review?.comments ?? [];
  const told = [review?.body ?? "", ...comments.map(textOf)].map((text) => withoutPassing(maskAwsKeys(text)));
  return `${told.join("\n\n")}\n`;
}

function textOf({ path, line, body }: Comment): string {
  return `${path}:${line}\n${body}`;
}

function withoutPassing(text: string): string {
  return text
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/\bF-[0-9A-Z]{4,8}\b/g, "F-…")
    .replaceAll(/\bhttps?:\/\/127\.0\.0\.1:\d+\/[^\s)]*/g, "http://…")
    .replaceAll(/\b[0-9a-f]{7,40}\b/g, "…")
    .trim();
}
