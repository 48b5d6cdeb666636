import { z } from "zod";
import type { Redact } from "../safety/redact.ts";
import { cleanEach } from "./data/clean-text.ts";
import { fenceData } from "./data/fence-data.ts";
import type { MemoryPort } from "./ports.ts";
import type { Tool } from "./tool.ts";

const Input = z.object({
  question: z.string().min(3).max(500).describe("What you would like to know, in a few words"),
  tags: z.array(z.string().min(1).max(60)).max(8).default([]),
  limit: z.number().int().min(1).max(10).default(5),
});
type Input = z.infer<typeof Input>;

export interface RecallDependencies {
  readonly memory: MemoryPort;
  readonly redact: Redact;
}

export function recall({ memory, redact }: RecallDependencies): Tool<Input> {
  return {
    name: "recall",
    description:
      "Looks up what earlier runs noted about this repository: conventions, traps, how things are done. Gives notes, each with its kind, how sure it is (0 to 1), its day or who taught it. A note may be outdated: check it against the code before you rely on it.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 30_000,
    run: async ({ question, tags, limit }, { signal }) => {
      const notes = await memory.recall({ text: question, tags, limit, signal });
      if (notes.length === 0) return { text: "Nothing is noted about that.", metrics: { notes: 0 } };
      const rows = notes.map(({ kind, content, confidence, createdAt, label }) => {
        const about = label ?? `${kind}, ${confidence.toFixed(2)}, ${createdAt.slice(0, 10)}`;
        return `- (${about}) ${content.replace(/\s+/g, " ")}`;
      });
      const { lines, leftOut } = cleanEach(
        rows.map((text) => ({ text, prose: true })),
        { redact },
      );
      const text = [fenceData("notes of earlier runs", lines.join("\n")), leftOut].filter((part) => part !== undefined);
      return { text: text.join("\n"), metrics: { notes: notes.length } };
    },
  };
}
