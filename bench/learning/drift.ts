import { startScriptedModel } from "../../simulator/models/scripted-model.ts";
import { createWorld, type World } from "../../test/e2e/world.ts";
import type { Result } from "../report.ts";
import { seeded } from "./seeded.ts";
import { isHeldOut, propose, SHOP } from "./shop.ts";

const REPOSITORIES = 4;
/** Memories of each, each of another line of another file: so many are recalled for a change at most. */
const MEMORIES = 8;

/** What becomes of the code that a memory rests on, and whether the memory still holds then. */
const DRIFTS = {
  "left alone": true,
  "moved down in its file": true,
  indented: true,
  changed: false,
  "taken out of its file": false,
  "gone with its file": false,
  "in a file of another name": false,
} as const;
type Drift = keyof typeof DRIFTS;

interface Cited {
  readonly path: string;
  readonly line: string;
  readonly sentence: string;
  readonly drift: Drift;
}

/**
 * What people taught on lines of the code, after the code has moved on: what stands in the prompt of the next review. The whole program, on the
 * simulated GitHub.
 */
export async function measureDrift(seed: number): Promise<Result[]> {
  const all: { readonly drift: Drift; readonly isShown: boolean }[] = [];
  for (let at = 0; at < REPOSITORIES; at += 1) all.push(...(await followRepository(seed * 1_000 + at)));
  return (Object.keys(DRIFTS) as Drift[]).map((drift) => {
    const of = all.filter((one) => one.drift === drift);
    const shown = of.filter(({ isShown }) => isShown).length;
    const wanted = DRIFTS[drift] ? of.length : 0;
    return {
      ...{ name: `the code is ${drift}: memories in the prompt`, value: shown, unit: `of ${of.length}` },
      ...{ goal: DRIFTS[drift] ? "all" : "none", met: shown === wanted },
    };
  });
}

async function followRepository(seed: number): Promise<{ readonly drift: Drift; readonly isShown: boolean }[]> {
  const random = seeded(seed);
  const drifts = Object.keys(DRIFTS) as Drift[];
  const cited = Array.from({ length: MEMORIES }, (_, at): Cited => {
    const path = `src/handlers/part${at}.js`;
    const line = `  answer.part${at} = request.parts[${Math.floor(random() * 1_000)}];`;
    const sentence = `The handler of part ${String.fromCharCode(97 + at)} reads it from the request, number ${at}.`;
    return { path, line, sentence, drift: drifts[Math.floor(random() * drifts.length)]! };
  });
  const model = await startScriptedModel(() => {
    return { calls: [{ name: "complete", input: { summary: "Handles.", findings: [] } }] };
  });
  const files = { ".github/forge.yml": "review:\n  ai: always\n", "README.md": "# Shop\n" };
  const world = await createWorld({ files, environment: model.environment });
  try {
    await teachOn(world, cited);
    await world.github.commit(SHOP, "main", { files: drifted(cited), message: "Move on", author: "ana" });
    await world.settled();
    let reads: string[] | undefined;
    for (let at = 0; reads === undefined; at += 1) {
      const before = model.asked.length;
      const files = { [`src/new${at}.js`]: "export const next = 1;\n" };
      await propose(world, { branch: `next-${at}`, title: "The handler of a part reads it from the request", files });
      if (!(await isHeldOut(world))) reads = model.asked.slice(before).map(({ messages }) => JSON.stringify(messages));
    }
    const prompts = reads.join("\n");
    await world.expectGoodManners();
    return cited.map(({ drift, sentence }) => ({ drift, isShown: prompts.includes(sentence) }));
  } finally {
    await world.end();
    await model.stop();
  }
}

/** One pull request brings all of the code; people say on each line what is to be known of it, and it is merged. */
async function teachOn(world: World, cited: readonly Cited[]): Promise<void> {
  const files = Object.fromEntries(cited.map(({ path, line }) => [path, fileOf([line])]));
  const number = await propose(world, { branch: "parts", title: "Handle parts", files });
  const comments = cited.map(({ path, sentence }) => ({ path, line: 3, body: `/forge remember ${sentence}` }));
  await world.github.submitReview(SHOP, number, { by: "ben", event: "COMMENT", comments });
  await world.settled();
  await world.github.mergePullRequest(SHOP, number, "ana", "squash");
  await world.settled();
}

function fileOf(lines: readonly string[]): string {
  return `export function handle(request) {\n  const answer = {};\n${lines.join("\n")}\n  return answer;\n}\n`;
}

function drifted(cited: readonly Cited[]): Record<string, string | null> {
  const files: Record<string, string | null> = {};
  for (const { path, line, drift } of cited) {
    const made: Record<Drift, Record<string, string | null>> = {
      "left alone": {},
      "moved down in its file": { [path]: fileOf(["  answer.first = 1;", "  answer.second = 2;", line]) },
      indented: { [path]: fileOf(["  {", `    ${line}`, "  }"]) },
      changed: { [path]: fileOf([line.replace("request.parts", "request.body.parts")]) },
      "taken out of its file": { [path]: fileOf([]) },
      "gone with its file": { [path]: null },
      "in a file of another name": { [path]: null, [path.replace("handlers/", "handlers/all/")]: fileOf([line]) },
    };
    Object.assign(files, made[drift], { "README.md": "# Shop\n\nIt moved on.\n" });
  }
  return files;
}
