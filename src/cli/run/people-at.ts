import { give, type LocalPowers, type LocalRun } from "../../pipeline/local/local-run.ts";
import type { RecordingFile } from "../../pipeline/local/recording.ts";
import type { People } from "../../pipeline/local/work-locally.ts";
import type { RunArguments } from "./arguments.ts";
import { askPeople } from "./ask-people.ts";
import type { Interrupt } from "./interrupt.ts";
import { readLines } from "./lines.ts";

export interface Terminal {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean };
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
  readonly powers: Pick<LocalPowers, "store" | "makeId" | "now">;
  readonly recording: RecordingFile | undefined;
}

/** Whoever sits at the terminal: is asked, is told, and may interrupt. */
export function peopleAt(
  terminal: Pick<Terminal, "in">,
  { given, write, say, interrupt, local, powers, recording }: Sitting,
): { readonly people: People; readonly close: () => void } {
  const mayType = !given.yes && (given.ask || terminal.in.isTTY === true);
  const lines = mayType ? readLines(terminal.in) : undefined;
  const ask = askPeople({ yes: given.yes, lines, write, signal: interrupt.stopping });
  let isAsking = false;
  // With nobody being asked a step is in flight: the run ends after it, as with `/forge stop`.
  interrupt.stopping.addEventListener("abort", () => {
    if (!isAsking) void give(powers, local.subject, { name: "stop" });
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
