/**
 * An agent of one's own, made with `forge-lifecycle/agent` (LOOP-22): it tidies a folder of Markdown notes, and a person has a word on each note that
 * it wants to delete. While it waits nothing runs: what it knows lies in a file, and another process goes on from there.
 *
 * Needs `npm install` and `ANTHROPIC_API_KEY` (or `ANTHROPIC_BASE_URL`, of an endpoint that wants no key). `npx node` is Node 24, which came
 * along:
 *
 *     npx node --conditions=forge-source examples/tidy-notes.ts start <folder> <state.json>      ends with exit code 2 where it waits for a person
 *     npx node --conditions=forge-source examples/tidy-notes.ts approve <folder> <state.json>    or `deny`: goes on, perhaps up to the next question
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type AgentDefinition,
  type AgentOptions,
  createAgent,
  createModels,
  createPolicy,
  delegate,
  dependenciesOf,
  dump,
  type Hooks,
  type Impulse,
  type LoopState,
  promptInjection,
  reportRun,
  restore,
  type Tool,
  ToolFailure,
  writesInScope,
} from "forge-lifecycle/agent";
import { z } from "zod";

/** A name alone, so that no path leads out of the folder. */
const path = z.string().regex(/^[\w-]+\.md$/);

const IMPULSES: Readonly<Record<string, Impulse | undefined>> = {
  approve: { by: "approval", verdict: { is: "approved" } },
  deny: { by: "approval", verdict: { is: "denied", reason: "the note is still needed." } },
};

const [command = "", folder, stateFile] = process.argv.slice(2);
if (!(command === "start" || Object.hasOwn(IMPULSES, command)) || !folder || !stateFile) {
  console.error("npx node --conditions=forge-source examples/tidy-notes.ts start|approve|deny <folder> <state.json>");
  process.exit(1);
}
process.exitCode = await tidy(folder, stateFile, IMPULSES[command]);

/** Begins, or goes on with a person's word. @returns the exit code: 0 for done, 1 for failed, 2 where it waits */
async function tidy(notes: string, savedAs: string, word: Impulse | undefined): Promise<number> {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = process.env;
  const endpoint = { ...(apiKey ? { apiKey } : {}), ...(baseUrl ? { baseUrl } : {}) };
  const models = await createModels({
    ...(apiKey || baseUrl ? { anthropic: endpoint } : {}),
    toolCalling: "native",
    prices: {},
  });
  if (!models.configured) {
    console.error(models.reason);
    return 1;
  }

  const tools = notesTools(notes);
  const tidier: AgentDefinition = {
    type: "ask",
    name: "Tidier",
    promptVersion: "1",
    layers: [
      layer("You tidy a folder of notes. Put what still matters into summary.md, and delete notes that are done."),
    ],
    tools: [tools.list, tools.read, tools.look, tools.write, tools.delete],
    output: z.object({ deleted: z.array(z.string()), why: z.string() }),
    maxOutputTokens: 4_000,
    iterationLimit: 20,
  };
  const options: AgentOptions = {
    models: models.strong,
    task: "Tidy the notes.",
    // A person decides on each deletion, and is asked nothing else.
    policy: createPolicy({ deny: [], ask: ["delete_note"] }),
    someoneToApprove: true,
    // What a note says is no order, and only the summary is written.
    guardrails: [promptInjection, writesInScope(["write_note"], (path) => path === "summary.md")],
    hooks: [readOnce(), { afterRun: (state) => writeFile(savedAs, dump(state)) }],
    onEvent: (event) => {
      if (event.type === "tool_started") console.log(`${event.tool} ${JSON.stringify(event.input)}`);
    },
  };

  const saved = word && restore(await readFile(savedAs, "utf8"), tidier);
  for (const warning of saved?.warnings ?? []) console.log(warning);
  const state = await createAgent(tidier, options, saved?.state).run(word);

  const { standing } = state;
  if (standing.is === "waiting" && standing.wait.for === "approval") {
    const { tool, input, reason } = standing.wait;
    console.log(`Waiting: ${tool} ${JSON.stringify(input)}. ${reason} Say approve or deny.`);
    return 2;
  }
  if (standing.is !== "ended" || standing.end.reason !== "completed") {
    console.error(standing.is === "ended" ? standing.end.message : `The agent is ${standing.is}.`);
    return 1;
  }
  console.log(`Done: ${JSON.stringify(standing.end.output)}`);
  const { modelCalls, toolCalls } = reportRun(state, Date.now()).totals;
  console.log(`${modelCalls} calls of the model, ${toolCalls} of tools.`);
  return check(state, [tools.list, tools.read], models.strong);
}

/** Another agent looks at the work: it knows what the first one read, and has no tool that changes anything. */
async function check(done: LoopState, tools: readonly Tool[], models: AgentOptions["models"]): Promise<number> {
  const checker: AgentDefinition = {
    type: "verifier",
    name: "Checker",
    promptVersion: "1",
    layers: [layer("You check whether notes were tidied without losing anything that matters.")],
    tools,
    output: z.object({ lost: z.array(z.string()) }),
    maxOutputTokens: 2_000,
  };
  const { standing } = await delegate(done, checker, dependenciesOf({ models }), "Was anything lost that matters?");
  if (standing.is !== "ended" || standing.end.reason !== "completed") {
    console.error(standing.is === "ended" ? standing.end.message : `The checker is ${standing.is}.`);
    return 1;
  }
  console.log(`Checked: ${JSON.stringify(standing.end.output)}`);
  return 0;
}

/** What an agent can do with the notes in a folder. */
function notesTools(notes: string) {
  const usual = { readOnly: true, timeoutMs: 5_000 };
  const list: Tool = {
    ...usual,
    name: "list_notes",
    description: "Names of all notes, one a line.",
    inputSchema: z.object({}),
    run: async () => ({ text: (await readdir(notes)).filter((name) => path.safeParse(name).success).join("\n") }),
  };
  const read: Tool<{ path: string }> = {
    ...usual,
    name: "read_note",
    description: "The text of a note.",
    inputSchema: z.object({ path }),
    run: async (input) => ({ text: await readFile(join(notes, input.path), "utf8").catch(missing(input.path)) }),
  };
  const look: Tool<{ picture: string }> = {
    ...usual,
    name: "look_at_picture",
    description: "Shows a picture that a note names.",
    inputSchema: z.object({ picture: z.string().regex(/^[\w-]+\.png$/) }),
    run: async ({ picture }) => {
      const data = await readFile(join(notes, picture), "base64").catch(missing(picture));
      return { text: picture, images: [{ mediaType: "image/png", data }] };
    },
  };
  const write: Tool<{ path: string; text: string }> = {
    ...usual,
    name: "write_note",
    description: "Writes a note; one of that name is replaced.",
    inputSchema: z.object({ path, text: z.string() }),
    readOnly: false,
    run: async (input) => {
      await writeFile(join(notes, input.path), input.text);
      return { text: "Written." };
    },
  };
  const remove: Tool<{ path: string }> = {
    ...usual,
    name: "delete_note",
    description: "Deletes a note, once a person agrees.",
    inputSchema: z.object({ path }),
    readOnly: false,
    run: async (input) => {
      await rm(join(notes, input.path)).catch(missing(input.path));
      return { text: "Deleted." };
    },
  };
  return { list, read, look, write, delete: remove };
}

/** The model reads this failure and can mend it; of any other it would only hear that something went wrong. */
function missing(name: string) {
  return (): never => {
    throw new ToolFailure("not_found", `There is no note ${name}.`);
  };
}

/** Hooks: a note that was read stands in the history, and need not be paid for again, until something was written. */
function readOnce(): Hooks {
  const seen = new Set<string>();
  return {
    beforeTool: ({ tool, input }) => {
      if (!tool.readOnly) seen.clear();
      const known = tool.name === "read_note" && seen.has(JSON.stringify(input));
      return known ? { do: "skip", reason: "you have read this note already." } : { do: "run" };
    },
    afterTool: ({ tool, input }, outcome) => {
      if (tool.name === "read_note" && !outcome.isError) seen.add(JSON.stringify(input));
      return outcome;
    },
  };
}

function layer(text: string): AgentDefinition["layers"][number] {
  return { name: "role", priority: 0, text, tags: [], owner: "examples", stable: true };
}
