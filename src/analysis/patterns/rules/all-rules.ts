import type { RuleTables } from "../find-patterns.ts";
import { PROGRAM_SETTINGS, PROGRAM_SINKS } from "./programs.ts";
import { CLEANERS, HANDLERS, SOURCES } from "./sources.ts";
import { SQL_SINKS } from "./sql.ts";

/** Every table of rules. */
export const RULES: RuleTables = {
  sources: SOURCES,
  cleaners: CLEANERS,
  handlers: HANDLERS,
  sinks: [...SQL_SINKS, ...PROGRAM_SINKS],
  settings: [...PROGRAM_SETTINGS],
};
