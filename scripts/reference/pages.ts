import { commandLinePage } from "./command-line.ts";
import { commandsPage } from "./commands.ts";
import { configurationPage } from "./configuration.ts";
import { environmentPage } from "./environment.ts";
import { eventsPage } from "./events.ts";
import { metricsPage } from "./metrics.ts";

/** The pages that a program writes, by path, each with what makes its text. */
export const REFERENCE_PAGES: ReadonlyMap<string, () => string> = new Map([
  ["docs/reference/command-line.md", commandLinePage],
  ["docs/reference/commands.md", commandsPage],
  ["docs/reference/configuration.md", configurationPage],
  ["docs/reference/environment.md", environmentPage],
  ["docs/reference/events.md", eventsPage],
  ["docs/reference/metrics.md", metricsPage],
]);
