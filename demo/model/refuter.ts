import { posix } from "node:path";
import type { ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { addedLines, type Conversation, codeIn } from "./conversation.ts";
import { SUSPICIONS } from "./suspicions.ts";

interface Claimed {
  readonly number: number;
  readonly file: string;
  readonly text: string;
}

/** As a verifier: opens the files that the claims are about and those that they import, then judges from what is there. */
export function judgeClaims({ task, results }: Conversation): ScriptedReply {
  const claims = readClaims(task);
  if (results.length === 0) {
    const calls = filesAround(task, claims).map((path) => ({ name: "read_file", input: { path } }));
    return { text: "I read the code itself before I judge.", calls };
  }
  const code = [...pointedAt(task, results), ...codeIn(results)];
  const judgements = claims.map(({ number, text }) => {
    const suspicion = SUSPICIONS.find(({ claim }) => text.includes(claim));
    const unknown = { verdict: "unsure", reason: "A script cannot judge this." } as const;
    return { claim: number, ...(suspicion?.judge(code) ?? unknown) };
  });
  return { calls: [{ name: "complete", input: { judgements } }] };
}

/** Lines of the task that an answer names in their place: that text is not sent again. */
function pointedAt(task: string, results: readonly string[]): string[] {
  const named = results.flatMap((text) => [
    ...text.matchAll(/^Lines (\d+) to (\d+) of (.+) stand in your first message\.$/gm),
  ]);
  return addedLines(task)
    .filter(({ path, line }) =>
      named.some(([, from, to, of]) => of === path && line >= Number(from) && line <= Number(to)),
    )
    .map(({ text }) => text);
}

/** Whether the task is one of claims. */
export function hasClaims(task: string): boolean {
  return readClaims(task).length > 0;
}

/** "Claim 2, logic, error, src/a.ts lines 3 to 3:", and what follows up to the next one. */
function readClaims(task: string): Claimed[] {
  const heads = [...task.matchAll(/^Claim (\d+), [^,\n]+, [^,\n]+, (.+) lines \d+ to \d+:$/gm)];
  return heads.map((head, at) => ({
    number: Number(head[1]),
    file: head[2] ?? "",
    text: task.slice(head.index, heads[at + 1]?.index),
  }));
}

function filesAround(task: string, claims: readonly Claimed[]): string[] {
  const files = new Set(claims.map(({ file }) => file));
  const imported = addedLines(task)
    .filter(({ path }) => files.has(path))
    .flatMap(({ path, text }) => {
      const [, from] = /from "(\.\.?\/[^"]+)"/.exec(text) ?? [];
      return from ? [posix.join(posix.dirname(path), from)] : [];
    });
  return [...new Set([...files, ...imported])];
}
