import { inspectPull } from "../facts/inspect-pull.ts";
import { latestRuns, runsOn } from "../facts/latest-runs.ts";
import type { DiffFile } from "../git/diff-files.ts";
import type { Annotation, PullRequest, ReviewThread } from "../records.ts";
import type { World } from "../world.ts";
import { annotationCard } from "./annotation.ts";
import { type DiffRow, diffRows, isAt } from "./diff-rows.ts";
import { diffTable } from "./diff-table.ts";
import { type Html, html } from "./html.ts";
import { pullFrame } from "./pull-frame.ts";
import { submittedThreads, threadCard } from "./thread.ts";

interface Noted {
  readonly run: string;
  readonly annotation: Annotation;
}

/** The diff of the head with comments and annotations under their lines. */
export async function filesPage(world: World, request: PullRequest): Promise<string> {
  const { files } = await inspectPull(world, request);
  const threads = submittedThreads(request);
  const runs = latestRuns(runsOn(request.repository, request.pull.headSha));
  const notes = runs.flatMap(({ name, annotations }) => annotations.map((annotation) => ({ run: name, annotation })));
  const cards = files.map((file) =>
    fileCard(
      world,
      file,
      threads.filter(({ comments }) => comments[0]?.path === file.filename),
      notes.filter(({ annotation }) => annotation.path === file.filename),
    ),
  );
  return pullFrame(world, request, "files", { files: files.length }, html`<div class="files">${cards}</div>`);
}

function fileCard(world: World, file: DiffFile, threads: readonly ReviewThread[], notes: readonly Noted[]): Html {
  const rows = diffRows(file.patch);
  const placed = new Set<ReviewThread | Noted>();
  const show = (thread: ReviewThread) => {
    placed.add(thread);
    return threadCard(world, thread, { rows, withCode: false });
  };
  const annotate = (note: Noted) => {
    placed.add(note);
    return annotationCard(note.run, note.annotation);
  };
  const table = diffTable(rows, (row) => [
    ...threads.filter((thread) => standsAt(thread, row)).map(show),
    ...notes.filter(({ annotation }) => isAt(row, "RIGHT", annotation.end_line)).map(annotate),
  ]);
  const rest = [
    ...threads.filter((thread) => !placed.has(thread) && thread.comments[0]?.current !== null).map(show),
    ...notes.filter((note) => !placed.has(note)).map(annotate),
  ];
  const name = file.previousFilename ? `${file.previousFilename} → ${file.filename}` : file.filename;
  return html`<section class="file box"><header><span class="place">${name}</span><span class="grow"></span><span class="plus">+${file.additions}</span> <span class="minus">−${file.deletions}</span></header>
${rest.length > 0 && html`<div class="stack">${rest}</div>`}${file.patch === null ? html`<p class="faint">Nothing to show: binary, empty or renamed.</p>` : table}</section>`;
}

function standsAt({ comments }: ReviewThread, row: DiffRow): boolean {
  const [first] = comments;
  const line = first?.current?.line;
  return first !== undefined && line !== undefined && line !== null && isAt(row, first.anchor.side, line);
}
