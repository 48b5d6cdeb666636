import { createInterface } from "node:readline";
import type { Gate } from "../../domain/gates.ts";
import { give, type LocalDependencies, type LocalRun } from "../../pipeline/local/local-run.ts";
import type { RecordingFile } from "../../pipeline/local/recording.ts";
import { answerByRules, type People, type Word } from "../../pipeline/local/work-locally.ts";
import type { RunArguments } from "./arguments.ts";
import { gateName, gateWords } from "./gate-words.ts";

export interface Terminal {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly in: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Calls back at each Ctrl-C, until what it returns is called. */
  readonly onInterrupt: (heard: () => void) => () => void;
}

export interface Sitting {
  readonly given: Pick<RunArguments, "yes" | "ask">;
  readonly write: (text: string) => void;
  readonly say: (text: string) => void;
  readonly interrupt: Interrupt;
  readonly local: LocalRun;
  readonly dependencies: Pick<LocalDependencies, "store" | "makeId" | "now">;
  readonly recording: RecordingFile | undefined;
}

/** The user at the terminal: answers questions, sees messages, and can interrupt. */
export function peopleAt(
  terminal: Pick<Terminal, "in">,
  { given, write, say, interrupt, local, dependencies, recording }: Sitting,
): { readonly people: People; readonly close: () => void } {
  const mayType = !given.yes && (given.ask || terminal.in.isTTY === true);
  const lines = mayType ? readLines(terminal.in) : undefined;
  const ask = askPeople({ yes: given.yes, lines, write, signal: interrupt.stopping });
  let isAsking = false;
  // With no question open a step is in flight: the run ends after it, as with `/forge stop`.
  interrupt.stopping.addEventListener("abort", () => {
    if (!isAsking) void give(dependencies, local.subject, { name: "stop" });
  });
  const people: People = {
    signal: interrupt.cutting,
    ask: async (gate, run) => {
      if (interrupt.stopping.aborted) return { is: "later" };
      isAsking = true;
      const word = await ask(gate, run).finally(() => {
        isAsking = false;
      });
      if (word.is !== "later") await recording?.write({ is: "word", gate: gate.gate, word });
      return word;
    },
    refused: (gate, reason) => say(`${gate.gate}: that was refused: ${reason.replaceAll("_", " ")}`),
    waiting: (until) => say(`the model's provider wants to be asked later: waiting until ${until}`),
  };
  return { people, close: () => lines?.close() };
}

interface AskingDependencies {
  readonly yes: RunArguments["yes"];
  /** Where a person types; undefined without a terminal. */
  readonly lines: Lines | undefined;
  readonly write: (text: string) => void;
  /** Aborted when the question is void. */
  readonly signal: AbortSignal;
}

/** Asks at gates: the rules of `--yes`, or the person at the terminal. */
function askPeople({ yes, lines, write, signal }: AskingDependencies): People["ask"] {
  return async (gate, run) => {
    if (yes) {
      const word = answerByRules(gate, run);
      if (word.is === "yes") write(`${gate.gate}: ${gateName(gate.question)}: yes, by the rules of --yes\n`);
      else write(gateWords(gate, false));
      return word;
    }
    write(gateWords(gate, lines !== undefined));
    if (!lines) return { is: "later" };
    write("> ");
    const line = await lines.next(signal);
    if (line === undefined) write("\n");
    return readWord(gate, line);
  };
}

/** The typed line, as an answer to this gate; an empty line leaves it open. */
export function readWord({ question }: Pick<Gate, "question">, line: string | undefined): Word {
  const text = line?.trim() ?? "";
  if (text === "") return { is: "later" };
  if (question.type === "question") return { is: "answer", text };
  const [, said = "", note = ""] = /^(yes|y|no|n)\b[\s,:;.]*(.*)$/is.exec(text) ?? [];
  if (said !== "") {
    const is = said.toLowerCase().startsWith("y") ? "yes" : "no";
    return { is, ...(note === "" ? {} : { note }) };
  }
  // Anything else is what the plan is to be changed to, or what is to be tried; where only yes or no counts it is no yes.
  return question.type === "architecture_approval" || question.type === "bounces_used"
    ? { is: "yes", note: text }
    : { is: "no", note: text };
}

/** A person's input, line by line. */
interface Lines {
  /** The next line; undefined at the end of the input, or when the signal aborts. */
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Reads no input before the first question. */
function readLines(input: NodeJS.ReadableStream): Lines {
  let opened: ReturnType<typeof open> | undefined;
  return {
    next: (signal) => {
      opened ??= open(input);
      return opened.next(signal);
    },
    close: () => opened?.close(),
  };
}

function open(input: NodeJS.ReadableStream) {
  const interface_ = createInterface({ input, terminal: false });
  const waiting: string[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  interface_.on("line", (line) => {
    waiting.push(line);
    wake?.();
  });
  interface_.on("close", () => {
    ended = true;
    wake?.();
  });
  return {
    next: async (signal: AbortSignal): Promise<string | undefined> => {
      while (waiting.length === 0 && !ended && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
      return signal.aborted ? undefined : waiting.shift();
    },
    close: () => interface_.close(),
  };
}

/** Ctrl-C during a run: once it stops after the step in flight, twice that step is cut off. */
interface Interrupt {
  /** Aborted at the first. */
  readonly stopping: AbortSignal;
  /** Aborted at the second. */
  readonly cutting: AbortSignal;
  readonly close: () => void;
}

/** @param listen calls back at each Ctrl-C, until what it returns is called */
export function hearInterrupts(listen: (heard: () => void) => () => void, say: (text: string) => void): Interrupt {
  const stopping = new AbortController();
  const cutting = new AbortController();
  const close = listen(() => {
    if (stopping.signal.aborted) {
      cutting.abort();
      return;
    }
    say("stopping after the step in flight; Ctrl-C again cuts it off");
    stopping.abort();
  });
  return { stopping: stopping.signal, cutting: cutting.signal, close };
}
