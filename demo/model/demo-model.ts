import { type Asked, type ScriptedReply, startScriptedModel } from "../../simulator/models/scripted-model.ts";
import type { Running } from "../lifetime.ts";
import { type Conversation, readConversation, sizeOf } from "./conversation.ts";
import { implementPostage, planPostage } from "./postage/script.ts";
import { readChange } from "./reader.ts";
import { hasClaims, judgeClaims } from "./refuter.ts";
import { implement } from "./tally/implementer.ts";
import { planWork } from "./tally/planner.ts";

/** Any of these makes the demo use a model of its user. */
const CHOOSING = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"] as const;
const MORE = [
  ...["FORGE_PROVIDER", "FORGE_MODEL", "FORGE_FAST_MODEL", "FORGE_FALLBACK_MODEL", "FORGE_CONTEXT_WINDOW"],
  ...["FORGE_MODEL_TIMEOUT_SECONDS", "FORGE_TOOL_CALLING", "FORGE_PRICES"],
];

/** The model that reads changes in the story. */
export interface DemoModel extends Running {
  /** `scripted`: what it says is known, so the story can expect it. `given`: a real one, of which nobody knows what it finds. */
  readonly kind: "scripted" | "given";
  /** What tells Forge of it. */
  readonly variables: Readonly<Record<string, string>>;
  /** The names of the variables that chose it; empty for the scripted one. */
  readonly chosenBy: readonly string[];
  /** How often the scripted one was asked; 0 for another. */
  questions(): number;
}

/** The names of the variables by which the user of the demo chose a model of theirs. */
export function choosingIn(environment: NodeJS.ProcessEnv): string[] {
  return CHOOSING.filter((name) => environment[name]);
}

/** A model of the environment where there is one, and otherwise one that runs on this machine and is no model at all. */
export async function startDemoModel(environment: NodeJS.ProcessEnv): Promise<DemoModel> {
  const chosenBy = choosingIn(environment);
  if (chosenBy.length > 0) {
    const variables = Object.fromEntries(
      [...chosenBy, ...MORE].flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
    );
    return { kind: "given", variables, chosenBy, questions: () => 0, stop: async () => {} };
  }
  const { anthropicUrl, asked, stop } = await startScriptedModel(answer);
  // The server asks for no key; a client wants to send one.
  const variables = { ANTHROPIC_BASE_URL: anthropicUrl, ANTHROPIC_API_KEY: "the-script-asks-for-no-key" };
  return { kind: "scripted", variables, chosenBy: [], questions: () => asked.length, stop };
}

/** A reader who thinks about as long as a model does: that is what costs. */
const OUTPUT_TOKENS = 3000;

/** For a user who asks something while the demo stays: `/forge ask`. */
const NO_ANSWER =
  "I am a script that knows what the story of this demo needs, and no model. With a key in the environment of the demo a model reads your question.";

function replyTo(conversation: Conversation, toolNames: readonly string[]): ScriptedReply {
  const { task } = conversation;
  if (toolNames.includes("edit_file"))
    return implementPostage(conversation, toolNames) ?? implement(conversation, toolNames);
  if (/^(?:Plan the work on this issue|Hand in the whole plan anew)\b/m.test(task))
    return planPostage(conversation) ?? planWork(conversation);
  if (hasClaims(task)) return judgeClaims(conversation);
  if (/^The question:$/m.test(task)) return { calls: [{ name: "complete", input: { answer: NO_ANSWER } }] };
  return readChange(conversation);
}

/** Reads what it is asked and answers from that; of code that is not the demo's it knows nothing, and finds nothing. */
function answer(asked: Asked): ScriptedReply {
  if (!asked.toolNames.includes("complete")) return { text: "A script has nothing to add to this." };
  const conversation = readConversation(asked);
  const reply = replyTo(conversation, asked.toolNames);
  return { usage: { inputTokens: Math.ceil(sizeOf(asked) / 4), outputTokens: OUTPUT_TOKENS }, ...reply };
}
