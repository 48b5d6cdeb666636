import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import {
  type Asked,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "../../simulator/models/scripted-model.ts";
import type { PlacedEvent } from "../../src/domain/events.ts";
import { readEvents } from "../../src/store/events/read-events.ts";
import { listRunsOfSubject } from "../../src/store/runs/read-runs.ts";
import { listDeadJobs } from "../store/list-dead-jobs.ts";
import { roleOf, SHOP } from "./implementer.ts";
import { createWorld, failedEffects, type World } from "./world.ts";

export const REPOSITORY = "acme/shop";
/** Every plan waits for a person. */
export const ALWAYS_ASK = { ".github/forge.yml": "safety:\n  gates:\n    architecture_approval: always\n" };

export type Mind = (asked: Asked) => ScriptedReply | Promise<ScriptedReply>;

export interface IssueOptions {
  /** Beside those of the shop, or instead of them. */
  readonly files?: Readonly<Record<string, string>>;
  readonly title?: string;
  readonly body?: string | null;
  readonly by?: string;
  /** People can sign in to the pages. */
  readonly signIn?: boolean;
}

/** A world with an issue about prices that nobody has asked Forge to work on yet; `tom` may triage, `eve` may only read. */
export async function createIssueWorld(mind: Mind, options: IssueOptions = {}) {
  const {
    files = SHOP,
    title = "Prices have odd digits",
    body = "250 is shown as 2.5",
    by = "ana",
    signIn = false,
  } = options;
  const model: ScriptedModel = await startScriptedModel(mind);
  const { environment } = model;
  const world: World = await createWorld({ files, environment, signIn });
  const { github } = world;
  for (const [login, role] of Object.entries({ tom: "triage", eve: "read" } as const)) {
    github.createAccount(login);
    github.setRole(REPOSITORY, login, role);
  }
  const issue = github.openIssue(REPOSITORY, { title, body, by }).number;
  const view = (number = issue) => github.issue(REPOSITORY, number);
  /** The newest run on the issue, with its events. */
  const run = async (number = issue) => {
    const { store } = world.forge!;
    const repository = { id: 1004, owner: "acme", name: "shop", installationId: 1007 };
    const [row] = await listRunsOfSubject(store, { kind: "issue", number, repository });
    const events: readonly PlacedEvent[] = row ? await readEvents(store, row.traceId) : [];
    return { row, events, types: events.map(({ type }) => type) };
  };
  /** What git says of the repository on GitHub. */
  const git = async (...args: readonly string[]) => {
    return (await promisify(execFile)("git", ["--git-dir", github.gitDirectory(REPOSITORY), ...args])).stdout;
  };
  const forgiven = new Set<string>();
  return {
    ...{ world, github, model, issue, run, view },
    label: async (who = "ben", number = issue) => {
      await github.addLabel(REPOSITORY, number, "forge:implement", who);
      await world.settled();
    },
    /** Resolves with the id of the comment. */
    say: async (text: string, who = "ana", number = issue) => {
      const { id } = github.comment(REPOSITORY, number, { body: text, by: who });
      await world.settled();
      return id;
    },
    /** What Forge says on an issue or a pull request, oldest first, as people see it. */
    said: (number = issue) =>
      view(number)
        .comments.filter((comment) => comment.by === "forge[bot]")
        .map((comment) => comment.body.split("\n<!-- forge:")[0]!),
    git,
    /** A file as it stands in a commit on GitHub. */
    read: (sha: string, path: string) => git("show", `${sha}:${path}`),
    /** An effect of this kind may have failed: it was meant to. */
    forgive: (kind: string) => forgiven.add(kind),
    /** The pull request of the first run. */
    pull: () => github.pullRequest(REPOSITORY, issue + 1),
    /** As the world's, but for what was forgiven. */
    expectGoodManners: async () => {
      expect(github.referee.findings).toEqual([]);
      expect(await listDeadJobs(world.forge!.store)).toEqual([]);
      expect((await failedEffects(world.forge!)).filter(({ kind }) => !forgiven.has(kind))).toEqual([]);
    },
    end: async () => {
      await world.end();
      await model.stop();
    },
  };
}

export type IssueWorld = Awaited<ReturnType<typeof createIssueWorld>>;

/** The mind does what it always does; the first time that this role is asked, something happens in the world first. */
export function whenFirstAsked(
  role: ReturnType<typeof roleOf>,
  deed: () => Promise<unknown> | unknown,
  mind: Mind,
): Mind {
  let done = false;
  return async (asked) => {
    if (!done && roleOf(asked) === role) {
      done = true;
      await deed();
    }
    return mind(asked);
  };
}
