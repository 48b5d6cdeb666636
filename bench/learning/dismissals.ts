import { createWorld, type World } from "../../test/e2e/world.ts";
import type { Result } from "../report.ts";
import { seeded } from "./seeded.ts";
import { propose, SHOP } from "./shop.ts";

const WORLDS = 3;
const PULLS = 25;
const FILES_OF_PULL = 12;
const FOLDERS = ["src/forms", "src/imports", "src/old", "src/pages"];
const FILES_OF_FOLDER = 8;

/** Faults that analysers find: the line that has one, and the end of its rule's name. */
const FAULTS = [
  { rule: "noSelfAssign", line: "  box.value = box.value;" },
  { rule: "noDoubleEquals", line: "  if (box.value == 1) box.seen = true;" },
  { rule: "noSelfCompare", line: "  box.odd = box.value !== box.value;" },
  { rule: "noDuplicateObjectKeys", line: "  box.data = { one: 1, one: 2 };" },
] as const;

interface Place {
  readonly path: string;
  readonly rule: string;
}

type Dismissed = Place & { readonly scope: "here" | "path" | "rule" };

interface Counts {
  /** In a scope that was dismissed before, and told of all the same. */
  repeats: number;
  inScope: number;
  /** Outside of every scope, and not told of. */
  losses: number;
  outside: number;
  dismissals: number;
}

/**
 * Pull requests with the same faults again and again, of which people dismiss one after each review, for its place, its folder or its rule: whether
 * what they dismissed is said again, and all else still is. The whole program, on the simulated GitHub; what is expected is worked out here.
 */
export async function measureDismissals(seed: number): Promise<Result[]> {
  const all: Counts = { repeats: 0, inScope: 0, losses: 0, outside: 0, dismissals: 0 };
  for (let world = 0; world < WORLDS; world += 1) await followWorld(seed * 1_000 + world, all);
  const pulls = WORLDS * PULLS;
  return [
    {
      ...{ name: `said again, of ${all.inScope} in the scope of a dismissal`, value: all.repeats, unit: "" },
      ...{ goal: "0", met: all.repeats === 0 && all.inScope > 0 },
    },
    {
      ...{ name: `not said, of ${all.outside} outside of every scope`, value: all.losses, unit: "" },
      ...{ goal: "0", met: all.losses === 0 && all.outside > 0 },
    },
    { name: `dismissals, in ${pulls} pull requests of ${WORLDS} repositories`, value: all.dismissals, unit: "" },
  ];
}

async function followWorld(seed: number, counts: Counts): Promise<void> {
  const random = seeded(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const world = await createWorld({ files: { ".github/forge.yml": "review:\n  ai: never\n" } });
  const dismissed: Dismissed[] = [];
  try {
    for (let at = 0; at < PULLS; at += 1) {
      const places = drawPlaces(random);
      const number = await propose(world, { branch: `topic-${at}`, title: "Change", files: filesOf(places) });
      const said = saidOn(world, number);
      for (const place of places) {
        const isSaid = said.some(({ path, rule }) => path === place.path && rule === place.rule);
        if (dismissed.some((one) => covers(one, place))) {
          counts.inScope += 1;
          if (isSaid) counts.repeats += 1;
        } else {
          counts.outside += 1;
          if (!isSaid) counts.losses += 1;
        }
      }
      const chosen = said.length > 0 && random() < 0.7 ? pick(said) : undefined;
      if (!chosen) continue;
      // A whole rule is seldom dismissed: nothing would be left to look at.
      const scope = random() < 0.5 ? "here" : random() < 0.9 ? "path" : "rule";
      const folder = chosen.path.slice(0, chosen.path.lastIndexOf("/"));
      const reach = { here: "", path: `--path ${folder}/** `, rule: "--rule " }[scope];
      const body = `/forge dismiss ${reach}it is meant so here`;
      world.github.replyToReviewComment(SHOP, number, chosen.id, { by: pick(["ana", "ben"]), body });
      await world.settled();
      dismissed.push({ path: chosen.path, rule: chosen.rule, scope });
      counts.dismissals += 1;
    }
    await world.expectGoodManners();
  } finally {
    await world.end();
  }
}

function covers({ scope, path, rule }: Dismissed, place: Place): boolean {
  if (rule !== place.rule) return false;
  if (scope === "rule") return true;
  const folderOf = (file: string) => file.slice(0, file.lastIndexOf("/"));
  return scope === "path" ? folderOf(path) === folderOf(place.path) : path === place.path;
}

/** Other files each time, of which some come again. Those of a folder have the same faults each time that they come. */
function drawPlaces(random: () => number): Place[] {
  const paths = FOLDERS.flatMap((folder) =>
    Array.from({ length: FILES_OF_FOLDER }, (_, at) => ({
      path: `${folder}/file${at}.js`,
      fault: FAULTS[at % FAULTS.length]!,
    })),
  );
  const drawn = Array.from({ length: FILES_OF_PULL }, () => paths.splice(Math.floor(random() * paths.length), 1)[0]!);
  return drawn.map(({ path, fault }) => ({ path, rule: fault.rule }));
}

function filesOf(places: readonly Place[]): Record<string, string> {
  const line = (rule: string) => FAULTS.find((fault) => fault.rule === rule)!.line;
  return Object.fromEntries(places.map(({ path, rule }) => [path, `export function keep(box) {\n${line(rule)}\n}\n`]));
}

/** The comments of Forge's review. */
function saidOn({ github }: World, number: number): (Place & { readonly id: number })[] {
  const comments = github.pullRequest(SHOP, number).reviewComments.filter(({ inReplyTo }) => inReplyTo === null);
  return comments.map(({ id, path, body }) => ({
    id,
    path,
    rule: /`(?:\w+\/)*([\w-]+)`(?:\]\([^)]*\))? · `F-/.exec(body)?.[1] ?? "",
  }));
}
