import { requireTool } from "../../scripts/tools.ts";

const WANTED_BYTES = 14 * 1024;

interface Recorded {
  readonly name: string;
  readonly examples: readonly Record<string, unknown>[];
}

/** A recorded `pull_request` payload, brought to 14 KB by leaving out members of its repeated repository objects, the last first. */
export function pullRequestPayload(): Buffer {
  const recorded = requireTool("@octokit/webhooks-examples") as readonly Recorded[];
  const payload = recorded.find(({ name }) => name === "pull_request")?.examples[0];
  if (payload === undefined) throw new Error("no recorded pull_request payload");
  const { head, base } = payload.pull_request as Record<"head" | "base", { repo: Record<string, unknown> }>;
  let text = JSON.stringify(payload);
  for (const repository of [head.repo, base.repo]) {
    for (const member of Object.keys(repository).reverse()) {
      if (text.length <= WANTED_BYTES) return Buffer.from(text);
      delete repository[member];
      text = JSON.stringify(payload);
    }
  }
  return Buffer.from(text);
}

/** A payload of `bytes` that does not compress to nothing: hexadecimal digits in one JSON string. */
export function largePayload(bytes: number): Buffer {
  const body = Buffer.alloc(bytes);
  const start = '{"pad":"';
  body.write(start);
  let state = 1;
  for (let i = start.length; i < bytes - 2; i += 1) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    body[i] = "0123456789abcdef".charCodeAt(state >>> 28);
  }
  body.write('"}', bytes - 2);
  return body;
}
