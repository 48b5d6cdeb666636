import type { RegisteredApp } from "./convert-code.ts";
import type { Known, Place } from "./place.ts";

type Variables = Readonly<Record<string, string>>;

export interface SetUpOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly known: Known;
  /** Keeps the App, and says in one sentence for people where. Must not throw: what could not be kept is lost. */
  readonly keep: (app: RegisteredApp, place: Place) => Promise<string>;
  /** Left out where a model is set up already, or none is wanted: nobody is asked for one then. */
  readonly model?: ModelSetUp;
  /** Milliseconds that pass; by a clock that nobody sets when left out: a wrong time of the machine, or its correction, ends no link. */
  readonly now?: () => number;
  /** Milliseconds for GitHub's answer. */
  readonly answerMs?: number;
}

/** What is done with a model that a person chose. */
export interface ModelSetUp {
  /** Asks the models once. A sentence for people about each, and whether all answered. */
  readonly try: (variables: Variables) => Promise<{ readonly works: boolean; readonly said: readonly string[] }>;
  /** Keeps what was chosen, and says in one sentence for people where. Must not throw. */
  readonly keep: (variables: Variables) => Promise<string>;
  /** Milliseconds until Forge goes on without a model. */
  readonly waitMs: number;
}
