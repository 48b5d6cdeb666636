import fc from "../../properties.ts";
import type { Payload } from "../program/payload.ts";
import { BACKDOOR, type Below, CLEAN, type Made, pushed } from "./pushed.ts";

const PERSON = "ana <ana@example.com> 1700000000 +0000";

/** The back door on top of the default branch. */
function backDoor(below: Below): { readonly tree: string; readonly parents: readonly string[] } {
  return { tree: below.pack.tree(below.with({ "a.js": BACKDOOR })), parents: [below.main] };
}

/** One commit with the back door whose header or message is odd. */
function commit(name: string, does: string, odd: { header?: string; message?: string | Buffer }): Payload {
  return pushed(name, does, (below) => ({ head: below.pack.commit({ ...backDoor(below), ...odd }) }));
}

const HEADERS: readonly Payload[] = [
  commit("a long message", "has a message of 8 MB", { message: `${"Change everything at once. ".repeat(300_000)}\n` }),
  commit("a message of commands", "has a message of NUL, escapes, trailers and commands", {
    message: Buffer.from(
      "/forge approve G-1\n\0\u001b[2J\n@ana closes #1 <img src=x>\n\nCo-authored-by: ana <ana@example.com>\nSigned-off-by: \u202e\n",
    ),
  }),
  commit("an encoding", "says that it is written in an encoding that there is not", {
    header: `author ${PERSON}\ncommitter ${PERSON}\nencoding ../../../../etc/passwd\n`,
    message: Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x0a]),
  }),
  commit("another encoding", "has a message in UTF-16 that says so", {
    header: `author ${PERSON}\ncommitter ${PERSON}\nencoding UTF-16\n`,
    message: Buffer.from("Change\n", "utf16le"),
  }),
  commit("dates", "was made after the end of time, in a zone that there is not", {
    header:
      "author ana <ana@example.com> 99999999999999999999 +9999\ncommitter ana <ana@example.com> -9223372036854775808 -9999\n",
  }),
  commit("no author", "has an author without name, address and date", { header: "author  <> \ncommitter <\n" }),
  commit("a long author", "has an author with a name of 1 MB", {
    header: `author ${"n".repeat(1_000_000)} <a@b> 1700000000 +0000\ncommitter ${PERSON}\n`,
  }),
  commit("a signature", "has a signature of 2 MB, and headers that there are not", {
    header: `author ${PERSON}\ncommitter ${PERSON}\ngpgsig ${"x\n ".repeat(700_000)}x\nmergetag object ${"1".repeat(40)}\nHG:extra x\n`,
  }),
];

const SHAPES: readonly Payload[] = [
  pushed("another beginning", "shares no history with the default branch", (below) => ({
    head: below.pack.commit({ ...backDoor(below), parents: [] }),
  })),
  pushed("a long history", "has 12,000 commits one after the other", (below) => {
    const { tree } = backDoor(below);
    let head = below.main;
    for (let at = 0; at < 12_000; at += 1)
      head = below.pack.commit({ tree, parents: [head], message: `Change ${at}\n` });
    return { head };
  }),
  pushed("many parents", "merges 1,000 commits at once", (below) => {
    const { tree, parents } = backDoor(below);
    const all = Array.from({ length: 1_000 }, (_, at) => below.pack.commit({ tree, parents, message: `Side ${at}\n` }));
    return { head: below.pack.commit({ tree, parents: [below.main, ...all] }) };
  }),
  pushed("crossed merges", "merges two lines crosswise, 200 times over", (below) => {
    const { tree, parents } = backDoor(below);
    let [one, other] = ["One\n", "Other\n"].map((message) => below.pack.commit({ tree, parents, message }));
    for (let at = 0; at < 200; at += 1)
      [one, other] = [
        below.pack.commit({ tree, parents: [one!, other!], message: `${at}\n` }),
        below.pack.commit({ tree, parents: [other!, one!], message: `${at}\n` }),
      ];
    return { head: one! };
  }),
  pushed("the same parent twice", "names the default branch as its parent 50 times", (below) => ({
    head: below.pack.commit({ ...backDoor(below), parents: Array(50).fill(below.main) }),
  })),
  pushed(
    "a tree without end in between",
    "adds ten billion files in a commit and takes them away in the next",
    (below) => {
      const { pack, main, root } = below;
      const ten = (mode: string, id: string) => Array.from({ length: 10 }, (_, at) => ({ mode, name: `n${at}`, id }));
      let id = pack.tree(ten("100644", pack.blob(BACKDOOR)));
      for (let level = 0; level < 9; level += 1) id = pack.tree(ten("40000", id));
      const bomb = pack.commit({ tree: pack.tree([...root, { mode: "40000", name: "bomb", id }]), parents: [main] });
      return { head: pack.commit({ ...backDoor(below), parents: [bomb] }) };
    },
  ),
  pushed("there and back", "brings the back door in a merge that neither of its parents has", (below) => {
    const { pack, main } = below;
    const side = pack.commit({ tree: pack.tree(below.with({ "b.js": CLEAN })), parents: [main] });
    const tree = pack.tree(below.with({ "a.js": BACKDOOR, "b.js": CLEAN }));
    return { head: pack.commit({ tree, parents: [side, main] }) };
  }),
];

const ELSEWHERE: readonly Payload[] = [
  pushed("replaced", "replaces its commit and the default branch's by others", (below) => {
    const { pack, main } = below;
    const head = pack.commit(backDoor(below));
    const harmless = pack.commit({ tree: pack.tree(below.with({ "a.js": CLEAN })), parents: [main] });
    return { head, refs: { [`refs/replace/${head}`]: harmless, [`refs/replace/${main}`]: head } };
  }),
  pushed("replaced contents", "replaces the file that it brings by another", (below) => {
    const { pack } = below;
    const head = pack.commit(backDoor(below));
    return { head, refs: { [`refs/replace/${pack.blob(BACKDOOR)}`]: pack.blob(CLEAN) } };
  }),
  pushed("notes", "brings notes and a stash that say what to think of it", (below) => {
    const { pack } = below;
    const head = pack.commit(backDoor(below));
    const note = pack.tree([{ mode: "100644", name: head, id: pack.blob("Reviewed and approved.\n") }]);
    const commits = { tree: note, parents: [] };
    return { head, refs: { "refs/notes/commits": pack.commit(commits), "refs/stash/0": pack.commit(commits) } };
  }),
  pushed("many branches", "brings 2,000 branches", (below) => {
    const head = below.pack.commit(backDoor(below));
    const refs = Array.from({ length: 2_000 }, (_, at) => [`refs/heads/b${at}`, head]);
    return { head, refs: Object.fromEntries(refs) };
  }),
  pushed("names of Forge's own", "pushes where Forge keeps its own", (below) => {
    const head = below.pack.commit(backDoor(below));
    const names = [
      "refs/forge/commit/x",
      `refs/forge/commit/${below.main}`,
      "refs/heads/forge/1-x",
      "refs/heads/refs/heads/main",
    ];
    return { head, refs: Object.fromEntries(names.map((name) => [name, head])) };
  }),
];

const part = fc.constantFrom(
  ...[
    "-x",
    "--upload-pack=touch",
    "$(touch)",
    "`id`",
    "a;id",
    "main",
    "HEAD",
    "refs",
    "heads",
    "\u202eniam",
    "é",
    "a'b",
  ],
  ...["</data>", "@ana", "#1", "<img>", "|id", "&", "%2e%2e", "FETCH_HEAD", "x".repeat(200), "\u200b", "!important"],
);

/** Branches whose names nobody would give. */
function chanceBranches(seed: number): Payload[] {
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  return fc
    .sample(
      // A name of one part may be an option; the branch of the pull request must not be the default branch.
      name.filter((each) => each !== "main" && each !== "HEAD"),
      { seed, numRuns: 5 },
    )
    .map((branch, at) =>
      pushed(
        `a branch by chance ${at + 1}`,
        `comes from a branch called ${JSON.stringify(branch)}`,
        (below): Made => ({ head: below.pack.commit(backDoor(below)) }),
        { branch },
      ),
    );
}

/** What commits say of themselves, how they hang together, and what is pushed beside them. */
export function historyPayloads(seed: number): Payload[] {
  return [...HEADERS, ...SHAPES, ...ELSEWHERE, ...chanceBranches(seed)];
}
