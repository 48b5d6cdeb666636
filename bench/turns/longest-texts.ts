import { dependencies } from "../../src/analysis/analysers/dependencies.ts";
import { classifyFiles } from "../../src/analysis/classify-files.ts";
import { createClean } from "../../src/monitoring/doors/clean-text.ts";
import { readMessages } from "../../src/monitoring/doors/read-messages.ts";
import { SourceSettings } from "../../src/monitoring/settings.ts";
import { parseCommands } from "../../src/pipeline/commands/parse-comment.ts";
import { wordsOfAuthor } from "../../src/pipeline/review/ai/words-of-author.ts";
import { createRedactor, redactAside } from "../../src/safety/redact.ts";
import { cleanText } from "../../src/tools/data/clean-text.ts";
import { showText } from "../../src/tools/data/show-text.ts";
import { changedFile, scratchFolder, sourceFile } from "../../test/analysis/change-of.ts";
import type { TurnCase } from "./turn-cases.ts";

/** GitHub takes no longer comment, issue or review. */
const LONGEST_BODY = 65_536;
/** Of all commit messages together. */
const LONGEST_MESSAGE = 256 * 1024;
/** Of one file of a change. */
const LONGEST_FILE = 2 * 1024 * 1024;
const MOST_ALERTS = 5_000;

const LIMIT_MS = 30;

const { signal } = new AbortController();
const redact = createRedactor(["a known secret value"]);
/** What takes longest of a text that is not made to be slow by its parser, and what takes longest at all. */
const PARTS = [
  "A worker takes a job from the queue. See https://example.com/a?b=c, @ana.\n",
  "://a:b",
  "QUJD",
  "/forge help\n",
  "\\",
];

const filled = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
const longest = (name: string, part: string, prepare: TurnCase["prepare"]): TurnCase => ({
  name: `longest ${name}: ${JSON.stringify(part.slice(0, 20))}`,
  limitMs: LIMIT_MS,
  prepare,
});

/** The threads are there already: a process starts them once. */
async function warm(): Promise<void> {
  await cleanText(filled("a ", LONGEST_BODY), { redact, prose: true });
}

function alertmanager(share: number): Buffer {
  const alerts = Array.from({ length: Math.ceil(MOST_ALERTS * share) }, (_, at) => ({
    ...{ status: "firing", startsAt: "2026-11-23T10:00:00Z", fingerprint: `${at}` },
    labels: { alertname: `a${at}`, instance: "203.0.113.7:9090", path: "/checkout" },
    annotations: { summary: `the rate of errors at ${at}@example.org rose` },
  }));
  return Buffer.from(JSON.stringify({ door: "alerts", messages: [{ id: "m", body: { groupKey: "g", alerts } }] }));
}

const project = { "*": { repository: "acme/shop", environment: "production" } };
const SOURCES = SourceSettings.parse({
  doors: { alerts: { kind: "alertmanager", secret: { variable: "S" }, projects: project } },
});

/** A lock file names each package once. */
const LOCKS: readonly (readonly [path: string, head: string, part: (at: number) => string])[] = [
  [
    "pnpm-lock.yaml",
    "lockfileVersion: '9.0'\n\npackages:\n\n",
    (at) => `  p${at}@1.0.0:\n    resolution: {integrity: sha512-a}\n\n`,
  ],
  ["Cargo.lock", "", (at) => `[[package]]\nname = "p${at}"\nversion = "1.0.0"\nsource = "registry+a"\n\n`],
  [
    "yarn.lock",
    "# yarn lockfile v1\n\n",
    (at) => `p${at}@^1.0.0:\n  version "1.0.0"\n  resolved "https://registry.yarnpkg.com/p"\n\n`,
  ],
];

function listed(part: (at: number) => string, length: number): string {
  return Array.from({ length: Math.floor(length / part(100_000).length) }, (_, at) => part(at)).join("");
}

/** The longest texts that GitHub, git and doors bring, each on the way that it takes through the main thread. */
export const LONGEST_TEXTS: readonly TurnCase[] = [
  ...PARTS.flatMap((part) => [
    longest("comment", part, (share) => {
      const text = filled(part, LONGEST_BODY * share);
      return async () => {
        await warm();
        return parseCommands(await redactAside(text, redact));
      };
    }),
    longest("issue", part, (share) => {
      const text = filled(part, LONGEST_BODY * share);
      return async () => {
        await warm();
        await redactAside(text.toWellFormed(), redact);
        return cleanText(text, { redact, prose: true });
      };
    }),
    longest("file of a first message", part, (share) => {
      const shown = { from: "a.md", text: filled(part, LONGEST_FILE * share), prose: true, maxCharacters: 6_000 };
      return async () => {
        await warm();
        return showText(shown, redact);
      };
    }),
    longest("review", part, (share) => {
      const text = filled(part, LONGEST_BODY * share);
      return async () => {
        await warm();
        parseCommands(text);
        return redactAside(text.toWellFormed(), redact);
      };
    }),
    longest("commit message", part, (share) => {
      const text = filled(part, LONGEST_MESSAGE * share);
      return async () => {
        await warm();
        return wordsOfAuthor({ messages: [text] }, redact);
      };
    }),
  ]),
  longest("alert", `${MOST_ALERTS} alerts`, (share) => {
    const body = alertmanager(share);
    return () => readMessages(body, SOURCES, createClean(redact));
  }),
  ...LOCKS.flatMap(([path, head, part]) => [
    longest("lock file classified", path, (share) => {
      const content = Buffer.from(head + listed(part, LONGEST_FILE * share));
      const file = changedFile(path, "\n");
      return () => classifyFiles([{ file, content, old: content, unread: false }], signal);
    }),
    longest("lock file compared", path, (share) => {
      const text = head + listed(part, LONGEST_FILE * share);
      const file = { ...sourceFile(path, "\n"), text, oldText: text };
      return () => dependencies.analyse([file], { scratch: scratchFolder(), signal });
    }),
  ]),
];
