import { shortenBlanks } from "../short-blanks.ts";
import { span, type Text } from "./nodes.ts";
import type { Step } from "./read-jobs.ts";
import { narrow, type WorkflowDanger, type WorkflowDocument } from "./workflow-document.ts";

const DOWNLOAD_AND_RUN =
  /\b(?:curl|wget)\b[^\n|;&]{0,500}\|\s{0,9}(?:sudo\s{1,9}(?:-\S{1,60}\s{1,9}){0,9})?(?:ba|z|da|k)?sh\b|\b(?:ba|z|da)?sh\s{1,9}(?:-c\s{1,9})?["']?(?:<\(|\$\()\s{0,9}(?:curl|wget)\b|\b(?:curl|wget)\b[^\n|;&]{0,500}\|\s{0,9}(?:sudo\s{1,9})?(?:python3?|node|perl|ruby)\b/;

export function findDownloadAndRun({ run }: Step, document: WorkflowDocument): WorkflowDanger[] {
  const match = run && DOWNLOAD_AND_RUN.exec(shortenBlanks(run.value));
  if (!match) return [];
  return [
    {
      rule: "download-and-run",
      severity: "warning",
      confidence: 0.72,
      ...narrow(document, run, match[0]),
      message: "A script is downloaded and run in one go.",
      why: "Whoever controls that address, or the way to it, runs commands in this job: pin a version and compare its checksum.",
    },
  ];
}

export function findUnpinned(uses: Text | undefined): WorkflowDanger[] {
  if (uses === undefined || uses.value.startsWith("./") || uses.value.startsWith("docker://")) return [];
  const [, name = "", reference = ""] = /^([^@]+)@(.+)$/.exec(uses.value) ?? [];
  if (name === "" || /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(reference)) return [];
  const official = /^(?:actions|github)\//i.test(name);
  const branch = /^(?:main|master|develop|trunk|HEAD|latest)$/.test(reference);
  return [
    {
      rule: "unpinned-action",
      severity: official || !branch ? "info" : "warning",
      confidence: branch ? 0.8 : 0.7,
      ...span(uses),
      message: `\`${name}\` is used by ${branch ? "branch" : "tag"} (\`${reference}\`) and not by commit.`,
      why: "Whoever can move it changes what runs here, with the job's token and secrets: use the full SHA and name the version in a comment.",
    },
  ];
}
