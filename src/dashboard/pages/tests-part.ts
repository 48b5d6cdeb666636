import { html } from "hono/html";
import type { TestOutcome } from "../../domain/test-report.ts";
import { RUN, TESTS } from "../../github/words/view-words.ts";
import { duration } from "../../github/words/wording.ts";
import { type Markup, shown } from "./layout.ts";

const MOST_FAILURES = 20;

/** What the tests of a run came to. */
export function testsPart(tests: TestOutcome | undefined): Markup | undefined {
  if (!tests) return undefined;
  const { outcome, reason, passed, failed, skipped, failures, runner, durationMs } = tests;
  const counts = html`${passed} ${TESTS.passed}, ${failed} ${TESTS.failed}, ${skipped} ${TESTS.skipped}${runner && html` · ${shown(runner)}`} · ${duration(durationMs)}`;
  return html`<section aria-labelledby="tests"><h2 id="tests">${RUN.tests}</h2>
<p><span class="badge ${outcome === "passed" ? "completed" : outcome === "failed" ? "failed" : "pending"}">${TESTS[outcome]}</span> ${outcome === "not_run" ? shown(reason ?? "", 500) : counts}</p>
${failures.length > 0 && html`<ul class="lines">${failures.slice(0, MOST_FAILURES).map(({ name, message }) => html`<li><p>${shown(name)}</p><details><summary>${TESTS.message}</summary><pre tabindex="0">${shown(message, 2_000)}</pre></details></li>`)}</ul>`}</section>`;
}
