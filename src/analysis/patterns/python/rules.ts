import type { RuleTables } from "../find-patterns.ts";
import { CRYPTOGRAPHY } from "./rules/cryptography.ts";
import { FILES } from "./rules/files.ts";
import { INJECTION } from "./rules/injection.ts";
import { QUERIES } from "./rules/queries.ts";
import { SETTINGS } from "./rules/settings.ts";
import { CLEANERS, SOURCES } from "./rules/sources.ts";
import { WEB } from "./rules/web.ts";
import { WEB_SETTINGS } from "./rules/web-settings.ts";

/** The commonest ways into programs in Python, in addition to what ruff finds. */
export const PYTHON_RULES: RuleTables = {
  sources: SOURCES,
  cleaners: [...CLEANERS],
  handlers: [],
  sinks: [...INJECTION, ...QUERIES, ...FILES, ...WEB],
  settings: [...SETTINGS, ...WEB_SETTINGS, ...CRYPTOGRAPHY],
  anyReceiver: true,
};
