import { pythonName } from "./python-name.ts";

/** One requirement of Python: what is asked for, in which versions, or from where. */
export interface Requirement {
  /** Undefined for an address or a folder that tells no name. */
  readonly name?: string;
  /** As it is written, without markers and options: `>=1.2,<2`. */
  readonly wanted: string;
  /** The one version that will do. */
  readonly version?: string;
  /** An address or a path in place of versions. */
  readonly address?: string;
}

/** `name[extra] (==1.2) ; marker --option`, `name @ address`, or an address by itself; undefined for anything else. */
export function parseRequirement(written: string): Requirement | undefined {
  const entry = written.trim();
  if (isAddress(entry)) return fromAddress(undefined, entry);
  const [found] = /^[A-Za-z0-9][\w.-]*/.exec(entry) ?? [];
  if (found === undefined) return undefined;
  const name = pythonName(found);
  let rest = entry.slice(found.length).trimStart();
  if (rest.startsWith("[")) {
    const end = rest.indexOf("]");
    if (end === -1) return undefined;
    rest = rest.slice(end + 1).trimStart();
  }
  if (rest.startsWith("@")) return fromAddress(name, rest.slice(1).trimStart());
  const wanted = unwrapped(before(before(rest, ";"), " --")).replace(/\s+/g, " ");
  const parts = wanted === "" ? [] : wanted.split(",").map((part) => part.trim());
  if (!parts.every((part) => part === "" || CLAUSE.test(part))) return undefined;
  const version = parts.map((part) => EXACT.exec(part)?.[1]).find((one) => one !== undefined);
  return { name, wanted, ...(version === undefined ? {} : { version }) };
}

/** A comparison with a version, which may have a star at its end. */
const CLAUSE = /^(?:===?|~=|!=|<=?|>=?) ?[\w.!+*-]+$/;
const EXACT = /^===? ?([\w.!+-]+)$/;

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  return (at === -1 ? text : text.slice(0, at)).trim();
}

function unwrapped(text: string): string {
  return text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1).trim() : text;
}

function isAddress(entry: string): boolean {
  return /^(?:[a-z]+\+)?[a-z]+:\/\/|^(?:git\+|file:)|^\.{0,2}\/|^\.{1,2}(?:$|[[\s])|^[^\s;]+\.(?:whl|zip|tar\.gz)(?:$|[\s;])/i.test(
    entry,
  );
}

function fromAddress(name: string | undefined, written: string): Requirement | undefined {
  const [address = ""] = written.split(/\s/, 1);
  if (address === "") return undefined;
  const told = name ?? eggOf(address);
  return { ...(told === undefined ? {} : { name: told }), wanted: "", address };
}

/** `#egg=name` of an address. */
function eggOf(address: string): string | undefined {
  const [, egg] = /[#&]egg=([\w.-]+)/.exec(address) ?? [];
  return egg === undefined ? undefined : pythonName(egg);
}
