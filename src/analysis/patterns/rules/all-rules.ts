import type { RuleTables } from "../find-patterns.ts";
import { CLOUD_SETTINGS } from "./cloud.ts";
import { COOKIE_SETTINGS } from "./cookies.ts";
import { CROSS_SITE_SETTINGS, CROSS_SITE_SINKS } from "./cross-site.ts";
import { CRYPTO_SETTINGS } from "./crypto.ts";
import { DATA_SETTINGS, DATA_SINKS } from "./data.ts";
import { HEADER_SETTINGS, HEADER_SINKS } from "./headers.ts";
import { HTML_SINKS } from "./html.ts";
import { OBJECT_SETTINGS, OBJECT_SINKS } from "./objects.ts";
import { PAGE_SETTINGS } from "./pages.ts";
import { PATH_SETTINGS, PATH_SINKS } from "./paths.ts";
import { PROGRAM_SETTINGS, PROGRAM_SINKS } from "./programs.ts";
import { REQUEST_SETTINGS, REQUEST_SINKS } from "./requests.ts";
import { SERVER_SETTINGS } from "./servers.ts";
import { CLEANERS, HANDLERS, SOURCES } from "./sources.ts";
import { SQL_SINKS } from "./sql.ts";
import { TLS_SETTINGS } from "./tls.ts";
import { TOKEN_SETTINGS } from "./tokens.ts";

/** Every table of rules. */
export const RULES: RuleTables = {
  sources: SOURCES,
  cleaners: CLEANERS,
  handlers: HANDLERS,
  sinks: [
    ...SQL_SINKS,
    ...PROGRAM_SINKS,
    ...PATH_SINKS,
    ...REQUEST_SINKS,
    ...HTML_SINKS,
    ...CROSS_SITE_SINKS,
    ...HEADER_SINKS,
    ...OBJECT_SINKS,
    ...DATA_SINKS,
  ],
  settings: [
    ...PROGRAM_SETTINGS,
    ...PATH_SETTINGS,
    ...REQUEST_SETTINGS,
    ...PAGE_SETTINGS,
    ...CRYPTO_SETTINGS,
    ...TLS_SETTINGS,
    ...TOKEN_SETTINGS,
    ...HEADER_SETTINGS,
    ...OBJECT_SETTINGS,
    ...COOKIE_SETTINGS,
    ...CROSS_SITE_SETTINGS,
    ...SERVER_SETTINGS,
    ...DATA_SETTINGS,
    ...CLOUD_SETTINGS,
  ],
};
