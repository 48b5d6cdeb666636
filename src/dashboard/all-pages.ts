import type { PageRoute } from "./page-route.ts";
import { DELIVERIES_PAGE } from "./pages/deliveries-page.ts";
import { FIRST_PAGE } from "./pages/first-page.ts";
import { INSTALLED_PAGE, INSTALLED_REPOSITORY_PAGE } from "./pages/installed-page.ts";
import { MEMORIES_PAGE } from "./pages/memories-page.ts";
import { METRICS_PAGE } from "./pages/metrics-page.ts";
import { PROCESS_PAGE } from "./pages/process-page.ts";
import { REPOSITORIES_PAGE, REPOSITORY_PAGE } from "./pages/repository-page.ts";
import { RUN_PAGE } from "./pages/run-page.ts";
import { RUNS_PAGE } from "./pages/runs-page.ts";

/** Every page that reads: a new one is a line here. Each shows nothing of what its visitor may not see. */
export const PAGES: readonly PageRoute[] = [
  FIRST_PAGE,
  RUNS_PAGE,
  RUN_PAGE,
  REPOSITORIES_PAGE,
  REPOSITORY_PAGE,
  MEMORIES_PAGE,
  METRICS_PAGE,
  PROCESS_PAGE,
  DELIVERIES_PAGE,
  INSTALLED_PAGE,
  INSTALLED_REPOSITORY_PAGE,
];
