import type { Examination } from "../cli/doctor.ts";

/** What is wrong, by the error that said so, with what to do about it. */
export function wrong(what: string, error: unknown, advice: string): Examination {
  return { what, state: "wrong", detail: messageOf(error), advice };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
