import type { RuleTables } from "../find-patterns.ts";
import { CLOUD_SETTINGS } from "./cloud.ts";
import { CRYPTO_SETTINGS } from "./crypto.ts";
import { DATA_SETTINGS, DATA_SINKS } from "./data.ts";
import { PAGE_SETTINGS, PAGE_SINKS } from "./pages.ts";
import { PATH_SETTINGS, PATH_SINKS } from "./paths.ts";
import { PROGRAM_SETTINGS, PROGRAM_SINKS } from "./programs.ts";
import { REQUEST_SETTINGS, REQUEST_SINKS } from "./requests.ts";
import { CLEANERS, HANDLERS, SOURCES } from "./sources.ts";
import { SQL_SINKS } from "./sql.ts";
import { TOKEN_SETTINGS } from "./tokens.ts";
import { WEB_SETTINGS, WEB_SINKS } from "./web.ts";

/** Every table of rules. */
export const RULES: RuleTables = {
  sources: SOURCES,
  cleaners: CLEANERS,
  handlers: HANDLERS,
  sinks: [...SQL_SINKS, ...PROGRAM_SINKS, ...PATH_SINKS, ...REQUEST_SINKS, ...PAGE_SINKS, ...WEB_SINKS, ...DATA_SINKS],
  settings: [
    ...PROGRAM_SETTINGS,
    ...PATH_SETTINGS,
    ...REQUEST_SETTINGS,
    ...PAGE_SETTINGS,
    ...CRYPTO_SETTINGS,
    ...TOKEN_SETTINGS,
    ...WEB_SETTINGS,
    ...DATA_SETTINGS,
    ...CLOUD_SETTINGS,
  ],
};
