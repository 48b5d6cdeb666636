import type { LoopEvent } from "../../agents/library.ts";
import { activityWords } from "../../github/words/work/activity-words.ts";
import { followActivity } from "../../pipeline/ai/follow-activity.ts";
import { plainLine } from "../../safety/plain-line.ts";
import type { Redact } from "../../safety/redact.ts";
import { visibleText } from "../../safety/visible-text.ts";
import { lasting } from "../terminal.ts";

/** Characters of a line that is shown; a longer one ends with an ellipsis. */
const LONGEST_LINE = 4_000;

/** Characters that wait for the end of their line. The rest of a longer line is dropped, as a piece of it could be half a secret. */
const MOST_WAITING = 64 * 1024;

/** A private key is known by all of its lines: from its first one on they wait for its last one. */
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File-/;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY|Private-MAC: /;

/** More lines than a private key has. */
const MOST_KEY_LINES = 300;

interface Stream {
  readonly label: string;
  waiting: string;
  /** Whole lines of a private key whose end has not come yet. */
  key: string[];
  /** The line is too long, and its rest is dropped. */
  isOver: boolean;
}

/**
 * What agents think and say and what their tools print, for `forge run --verbose`: whole lines and whole keys, so no secret comes in two pieces,
 * and nothing in them moves the cursor.
 * @param write prints text that stays
 */
export function createTranscript(write: (text: string) => void, redact: Redact): (event: LoopEvent) => void {
  const streams = new Map<string, Stream>();
  let shown: string | undefined;
  const put = (label: string, text: string) => {
    if (shown !== label) write(`${label}:\n`);
    shown = label;
    write(`  ${text}\n`);
  };
  const show = ({ label, isOver }: Stream, text: string) => {
    const visible = visibleText(text).replaceAll(/\r+/g, " ").trimEnd();
    const cut = visible.length > LONGEST_LINE || isOver ? `${visible.slice(0, LONGEST_LINE - 1)}…` : visible;
    if (cut.trim() !== "") put(label, cut);
  };
  const endKey = (stream: Stream) => {
    const lines = stream.key.splice(0);
    if (lines.length > 0) for (const text of redact(lines.join("\n")).split("\n")) show(stream, text);
  };
  const line = (stream: Stream, text: string) => {
    const { key } = stream;
    if (key.length === 0 && !KEY_BEGINS.test(text)) {
      for (const part of redact(text).split("\n")) show(stream, part);
      return;
    }
    key.push(text);
    if (KEY_ENDS.test(text) || key.length >= MOST_KEY_LINES) endKey(stream);
  };
  const add = (key: string, label: string, text: string) => {
    const stream = streams.get(key) ?? { label, waiting: "", isOver: false, key: [] };
    streams.set(key, stream);
    const [first = "", ...more] = text.split("\n");
    append(stream, first);
    for (const next of more) {
      line(stream, stream.waiting);
      Object.assign(stream, { waiting: "", isOver: false });
      append(stream, next);
    }
  };
  const end = (key: string) => {
    const stream = streams.get(key);
    if (stream && stream.waiting !== "") line(stream, stream.waiting);
    if (stream) endKey(stream);
    streams.delete(key);
  };
  const endWords = () => {
    end("thinking");
    end("text");
  };
  const calls = new Map<string, string>();
  const follow = followActivity();
  return (event) => {
    switch (event.type) {
      case "thinking":
        return add("thinking", "thinking", event.text);
      case "text":
        return add("text", "answer", event.text);
      case "tool_started": {
        endWords();
        const activity = follow(event);
        const label = redact(activity ? activityWords({ ...activity, files: undefined }) : plainLine(event.tool));
        calls.set(event.callId, label);
        shown = label;
        return write(`${label}:\n`);
      }
      case "tool_output":
        return add(event.callId, calls.get(event.callId) ?? "output", event.chunk);
      case "tool_ended": {
        end(event.callId);
        const label = calls.get(event.callId) ?? plainLine(event.tool);
        calls.delete(event.callId);
        return event.isError ? put(label, `failed after ${lasting(event.ms)}`) : undefined;
      }
      case "step_started":
      case "step_ended":
      case "done":
        return endWords();
    }
  };
}

function append(stream: Stream, text: string): void {
  const room = MOST_WAITING - stream.waiting.length;
  if (stream.isOver || text.length === 0) return;
  stream.waiting += text.slice(0, room);
  if (text.length > room) stream.isOver = true;
}
