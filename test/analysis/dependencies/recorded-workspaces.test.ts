import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { stepsOf } from "./steps-of.ts";

const LOCKS = { npm: "package-lock.json", pnpm: "pnpm-lock.yaml", yarn: "yarn.lock" } as const;
type Program = keyof typeof LOCKS;
type Files = Record<string, { [field: string]: unknown }>;

/** How `two` asks for its neighbor, in three ways: as it was, another that is met, and one that is not. */
const LINKS = {
  workspace: ["workspace:*", "workspace:^", "workspace:^2.0.0"],
  range: ["^1.0.0", "1.0.0", "^0.1.0"],
} as const;

/** The project of which each program wrote the lock file. */
function projectOf(program: Program, isClassic: boolean): Files {
  const forced = { "is-positive": "3.1.0" };
  const root = {
    ...{ name: "shop", version: "1.0.0", private: true, ...(program === "pnpm" ? {} : { workspaces: ["packages/*"] }) },
    dependencies: { "is-positive": program === "npm" ? "3.1.0" : "^3.0.0" },
    devDependencies: { "is-even": "^1.0.0" },
    ...{ npm: { overrides: forced }, pnpm: { pnpm: { overrides: forced } }, yarn: { resolutions: forced } }[program],
  };
  const own = {
    ...{ name: "own", version: "1.0.0" },
    dependencies: {
      ...{ "is-odd": "^3.0.0", "is-positive": "^3.0.0", wide: "npm:lodash@4.17.20" },
      "left-pad": "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz",
    },
    ...{ devDependencies: { "kind-of": "^6.0.0" }, optionalDependencies: { "is-windows": "^1.0.0" } },
  };
  const two = {
    ...{ name: "two", version: "1.0.0", dependencies: { own: linksOf(program, isClassic)[0] } },
    ...{ peerDependencies: { "is-odd": "^3.0.0" }, devDependencies: { "is-odd": "^3.0.0" } },
  };
  const tools = { name: "tools", version: "1.0.0", dependencies: { isobject: "^4.0.0" } };
  return { "": root, "packages/own": own, "packages/two": two, "packages/tools": tools };
}

const linksOf = (program: Program, isClassic: boolean) => LINKS[program === "npm" || isClassic ? "range" : "workspace"];

const [OWN, TWO, THREE] = ["packages/own", "packages/two", "packages/three"] as const;
const put = (folder: string, group: string, wanted: object) => (files: Files) => {
  files[folder] = { ...files[folder], [group]: { ...(files[folder]?.[group] as object), ...wanted } };
};
const drop = (folder: string, field: string, name?: string) => (files: Files) => {
  const { [name ?? field]: _gone, ...rest } = (name === undefined ? files[folder]! : files[folder]![field]) as object &
    Record<string, unknown>;
  files[folder] = name === undefined ? rest : { ...files[folder], [field]: rest };
};
const add = (folder: string, dependencies?: object) => (files: Files) => {
  files[folder] = {
    name: folder.slice(folder.lastIndexOf("/") + 1),
    version: "1.0.0",
    ...(dependencies && { dependencies }),
  };
};
const force = (files: Files) => {
  files[""] = JSON.parse(
    JSON.stringify(files[""]).replace(/("(?:overrides|resolutions)":\{"is-positive":)"3.1.0"/, '$1"3.0.0"'),
  );
};

const changesOf = (links: readonly string[]) =>
  ({
    none: () => {},
    "own narrower": put(OWN, "dependencies", { "is-odd": ">=3.0.0 <4" }),
    "own other": put(OWN, "dependencies", { "is-odd": "^2.0.0" }),
    "own added": put(OWN, "dependencies", { "is-plain-object": "^5.0.0" }),
    "own added, installed": put(OWN, "dependencies", { "is-even": "^1.0.0" }),
    "own alias": put(OWN, "dependencies", { wide: "npm:lodash@4.17.19" }),
    "own tag": put(OWN, "dependencies", { "is-odd": "latest" }),
    "own forced": put(OWN, "dependencies", { "is-positive": "^3.0.1" }),
    "own archive": put(OWN, "dependencies", { "left-pad": "https://registry.npmjs.org/left-pad/-/left-pad-1.2.0.tgz" }),
    "own removed": drop(OWN, "dependencies", "is-odd"),
    "own regrouped": (files: Files) => {
      put(OWN, "dependencies", { "kind-of": "^6.0.0" })(files);
      drop(OWN, "devDependencies")(files);
    },
    "own optional": put(OWN, "optionalDependencies", { "is-windows": "^0.2.0" }),
    "own version": (files: Files) => {
      files[OWN] = { ...files[OWN], version: "2.0.0" };
    },
    "two link": put(TWO, "dependencies", { own: links[1] }),
    "two link, not met": put(TWO, "dependencies", { own: links[2] }),
    "two peer": put(TWO, "peerDependencies", { "is-odd": "^2.0.0" }),
    "two peer added": put(TWO, "peerDependencies", { "is-plain-object": "^5.0.0" }),
    "new, empty": add(THREE),
    "new, known": add(THREE, { "is-odd": "^3.0.0" }),
    new: add(THREE, { "is-plain-object": "^5.0.0" }),
    gone: (files: Files) => {
      delete files["packages/tools"];
    },
    outside: add("examples/x", { "is-plain-object": "^5.0.0" }),
    "root narrower": put("", "devDependencies", { "is-even": ">=1.0.0 <2" }),
    "root other": put("", "devDependencies", { "is-even": "^0.1.0" }),
    "root added": put("", "devDependencies", { "is-plain-object": "^5.0.0" }),
    "root added, installed": put("", "devDependencies", { "is-odd": "^3.0.0" }),
    "root removed": drop("", "devDependencies"),
    "root regrouped": (files: Files) => {
      put("", "dependencies", { "is-even": "^1.0.0" })(files);
      drop("", "devDependencies")(files);
    },
    "root forced": force,
    "root not forced": (files: Files) => {
      for (const field of ["overrides", "resolutions", "pnpm"]) drop("", field)(files);
    },
  }) as const;

type Change = keyof ReturnType<typeof changesOf>;
const ALL = Object.keys(changesOf(LINKS.range)) as Change[];
const without = (...changes: Change[]) => ALL.filter((change) => change !== "none" && !changes.includes(change));

/** What the program refused, each tried on the whole project. */
const OF_NPM: readonly Change[] = [
  ...(["own other", "own added", "own alias", "own archive", "own optional", "own version"] as const),
  ...(["two link, not met", "two peer added", "new, empty", "new, known", "new"] as const),
  ...(["root other", "root added", "root added, installed", "root forced"] as const),
];
const OF_PNPM = without("own forced", "own version", "two peer", "new, empty", "gone", "outside");
const REFUSED: Readonly<Record<string, readonly Change[]>> = {
  ...{ "npm-8": OF_NPM, "npm-11": OF_NPM, "pnpm-8": OF_PNPM, "pnpm-9": OF_PNPM, "pnpm-10": OF_PNPM },
  "yarn-1": ["two link, not met", "root narrower", "root other", "root added", "root forced"],
  "yarn-4": without("own regrouped", "own version", "outside", "root regrouped"),
};
/** Yarn 1 says nothing of these, and installs versions that are not in its lock file. */
const ASIDE: readonly Change[] = [
  ...(["own narrower", "own other", "own added", "own alias", "own tag", "own forced", "own archive"] as const),
  ...(["own optional", "own version", "new"] as const),
];

it.each(Object.keys(REFUSED))("REV-8: the packages of a workspace and a lock file of %s", (file) => {
  const program = file.split("-", 1)[0] as Program;
  const isClassic = file === "yarn-1";
  const text = readFileSync(new URL(`recorded/workspace-${file}.txt`, import.meta.url), "utf8");
  const drifting = Object.entries(changesOf(linksOf(program, isClassic))).filter(([, change]) => {
    const files = projectOf(program, isClassic);
    change(files);
    const own = Object.entries(files).map(([folder, { name, version }]) => ({
      folder,
      name: `${name}`,
      version: `${version}`,
    }));
    const workspace = program === "pnpm" ? "packages:\n  - packages/*\n" : "";
    const place = { root: JSON.stringify(files[""]), own, workspace };
    return Object.entries(files).some(
      ([folder, manifest]) =>
        stepsOf(JSON.stringify(manifest), LOCKS[program], text, { folder, ...place }).drifts.length > 0,
    );
  });
  const expected = isClassic ? [...REFUSED[file]!, ...ASIDE] : REFUSED[file]!;
  expect(drifting.map(([change]) => change)).toEqual(ALL.filter((change) => expected.includes(change)));
});
