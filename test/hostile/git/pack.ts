import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

type Kind = "commit" | "tree" | "blob";
const NUMBERS = { commit: 1, tree: 2, blob: 3, delta: 7 } as const;

/** An entry of a tree. Mode, name and id are written as they are given: git's own programs refuse to make most of what is written here. */
export interface Entry {
  readonly mode: string;
  readonly name: string | Buffer;
  readonly id: string;
}

export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message?: string | Buffer;
  /** Instead of the author, committer and all that follows on them. */
  readonly header?: string;
}

/** Objects that are pushed together, written by hand. Each way to make one resolves with its id. */
export interface Pack {
  blob(content: string | Buffer): string;
  /** In the order in which git wants them, or as they come. */
  tree(entries: readonly Entry[], order?: "sorted" | "as given"): string;
  commit(parts: CommitParts): string;
  /** A blob that is so many copies of another one, sent as a few bytes that say so. */
  copies(of: Buffer, times: number): string;
  /** Blobs each of which is the one before and a byte more, sent as the difference alone. Returns the id of the last. */
  chain(length: number): string;
  bytes(): Buffer;
}

const PERSON = "ana <ana@example.com> 1700000000 +0000";

export function createPack(): Pack {
  const written: Buffer[] = [];
  const known = new Set<string>();
  const add = (id: string, ...parts: readonly Buffer[]) => {
    if (!known.has(id)) written.push(Buffer.concat(parts));
    known.add(id);
    return id;
  };
  const whole = (kind: Kind, body: Buffer) =>
    add(idOf(kind, body), head(NUMBERS[kind], body.length), deflateSync(body));
  const pack: Pack = {
    blob: (content) => whole("blob", Buffer.from(content)),
    tree: (entries, order = "sorted") => {
      const given = order === "sorted" ? [...entries].sort((one, other) => keyOf(one).compare(keyOf(other))) : entries;
      const body = given.flatMap(({ mode, name, id }) => [
        Buffer.from(`${mode} `),
        Buffer.from(name),
        Buffer.from([0]),
        Buffer.from(id, "hex"),
      ]);
      return whole("tree", Buffer.concat(body));
    },
    commit: ({ tree, parents, message = "Change\n", header = `author ${PERSON}\ncommitter ${PERSON}\n` }) => {
      const lines = [`tree ${tree}\n`, ...parents.map((parent) => `parent ${parent}\n`), header, "\n"];
      return whole("commit", Buffer.concat([Buffer.from(lines.join("")), Buffer.from(message)]));
    },
    copies: (of, times) => {
      const base = pack.blob(of);
      const digest = createHash("sha1").update(`blob ${of.length * times}\0`);
      for (let at = 0; at < times; at += 1) digest.update(of);
      const copy = Buffer.from([0xf0, of.length & 0xff, (of.length >> 8) & 0xff, (of.length >> 16) & 0xff]);
      const delta = Buffer.concat([size(of.length), size(of.length * times), ...Array(times).fill(copy)]);
      return add(digest.digest("hex"), ...difference(base, delta));
    },
    chain: (length) => {
      let body = Buffer.from("// 0\n");
      let id = pack.blob(body);
      for (let at = 1; at < length; at += 1) {
        // All of the one before, then a byte of its own.
        const copy = Buffer.from([0xb0, body.length & 0xff, body.length >> 8]);
        const next = Buffer.concat([body, Buffer.from("\n")]);
        const delta = Buffer.concat([size(body.length), size(next.length), copy, Buffer.from([1, 0x0a])]);
        const before = id;
        id = idOf("blob", next);
        add(id, ...difference(before, delta));
        body = next;
      }
      return id;
    },
    bytes: () => {
      const start = Buffer.alloc(12);
      start.write("PACK");
      start.writeUInt32BE(2, 4);
      start.writeUInt32BE(written.length, 8);
      const all = Buffer.concat([start, ...written]);
      return Buffer.concat([all, createHash("sha1").update(all).digest()]);
    },
  };
  return pack;
}

function idOf(kind: Kind, body: Buffer): string {
  return createHash("sha1").update(`${kind} ${body.length}\0`).update(body).digest("hex");
}

function difference(base: string, delta: Buffer): Buffer[] {
  return [head(NUMBERS.delta, delta.length), Buffer.from(base, "hex"), deflateSync(delta)];
}

/** Git sorts folders as if their names ended in a slash. */
function keyOf({ mode, name }: Entry): Buffer {
  return Buffer.concat([Buffer.from(name), Buffer.from(/^0*40000$/.test(mode) ? "/" : "\0")]);
}

/** Kind and length of what follows. */
function head(kind: number, length: number): Buffer {
  const bytes = [(kind << 4) | (length & 0x0f)];
  for (let rest = Math.floor(length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

/** A length as deltas have it. */
function size(length: number): Buffer {
  const bytes = [length % 128];
  for (let rest = Math.floor(length / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}
