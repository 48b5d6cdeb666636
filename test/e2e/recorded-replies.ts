import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Asked, ScriptedReply } from "../../simulator/models/scripted-model.ts";
import { roleOf, turnsSoFar } from "./implementer.ts";

/** What somebody said in the model's place, and where: so it can be said again, whoever asks first and however the question is worded. */
export interface RecordedReply {
  /** Kind of agent. */
  readonly role: string;
  /** Which one of that kind, counted from 0. */
  readonly agent: number;
  /** Replies before this one in its conversation. */
  readonly step: number;
  readonly toolNames: readonly string[];
  readonly reply: ScriptedReply;
}

type Place = Pick<RecordedReply, "role" | "agent" | "step">;

/** Tells which reply of which agent is wanted: conversations of one kind are told apart by how they begin. */
function createPlaces(): (asked: Asked) => Place {
  const openings = new Map<string, string[]>();
  return (asked) => {
    const role = roleOf(asked);
    const opening = JSON.stringify(asked.messages.slice(0, 2));
    const known = openings.get(role) ?? [];
    openings.set(role, known);
    if (!known.includes(opening)) known.push(opening);
    return { role, agent: known.indexOf(opening), step: turnsSoFar(asked) };
  };
}

/** A model that says what was recorded. Answers to comments of people name those that were asked about. */
export function replay(replies: readonly RecordedReply[]): (asked: Asked) => ScriptedReply {
  const placeOf = createPlaces();
  return (asked) => {
    const { role, agent, step } = placeOf(asked);
    const found = replies.find((each) => each.role === role && each.agent === agent && each.step === step);
    const message = `Nothing was recorded for ${role} ${agent}, step ${step}.`;
    if (!found) return { status: 400, message, type: "invalid_request_error" };
    const now = commentsIn(JSON.stringify(asked.messages.slice(0, 2)));
    const text = JSON.stringify(found.reply);
    const then = commentsIn(text);
    return JSON.parse(text.replaceAll(COMMENT, (id) => now[then.indexOf(id)] ?? id)) as ScriptedReply;
  };
}

/** Numbers of comments are GitHub's, and others each time. */
const COMMENT = /\bC\d+\b/g;

function commentsIn(text: string): string[] {
  return [...new Set(text.match(COMMENT))];
}

interface Block {
  readonly type: string;
  readonly text?: string;
}

interface Request {
  readonly model: string;
  readonly system?: string | readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string }[];
}

interface Answer {
  readonly text?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly input: unknown }[];
}

/** What lies in the queue of a model that is played by hand: `0001.request.json`, `0001.answer.json`, and so on. */
export function recordedReplies(queue: string): RecordedReply[] {
  const placeOf = createPlaces();
  const ids = readdirSync(queue).flatMap((file) => /^(\d+)\.answer\.json$/.exec(file)?.[1] ?? []);
  return ids.sort().flatMap((id) => {
    const read = (kind: string) => JSON.parse(readFileSync(join(queue, `${id}.${kind}.json`), "utf8"));
    const request: Request = read("request");
    const { text, tool_calls: calls }: Answer = read("answer");
    if (text === undefined && calls === undefined) return [];
    const toolNames = (request.tools ?? []).map((tool) => tool.name);
    const messages = [{ role: "system", content: plain(request.system) }, ...request.messages.map(plainMessage)];
    const place = placeOf({ model: request.model, messages, toolNames, turn: 0 } as Asked);
    const usage = {
      inputTokens: tokensOf(request.system) + tokensOf(request.messages) + tokensOf(request.tools),
      outputTokens: tokensOf([text, calls]),
    };
    return [{ ...place, toolNames, reply: { ...(text ? { text } : {}), calls: calls ?? [], usage } }];
  });
}

/** Estimated. */
function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value ?? "").length / 4);
}

function plainMessage({ role, content }: Request["messages"][number]) {
  return { role, content: plain(content) };
}

function plain(content: Request["system"] = ""): string {
  return typeof content === "string" ? content : content.map((block) => block.text ?? "").join("\n");
}
