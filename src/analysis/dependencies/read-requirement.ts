import { pythonName } from "./python-name.ts";
import { type WantedPackage, wantedPackage } from "./wanted-package.ts";

/** Real ones are shorter, and patterns on a longer one would take their time. */
const LONGEST_LINE = 1_000;
/** What may follow a name: nothing, a version, an address, or an option of pip. */
const REST = /^(?:$|[<>=!~(@\\]|--)/;

/** A requirement as Python writes it: `name[extra] == 1.2 ; marker`. */
export function readRequirement(written: string): WantedPackage[] {
  const entry = written
    .slice(0, LONGEST_LINE)
    .replace(/(?:^|\s)#.*$/, "")
    .trim();
  const [, name, rest = ""] = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;]*)/.exec(entry) ?? [];
  // An address is not a name, and neither is the first word of a sentence.
  if (name === undefined || !REST.test(rest)) return [];
  const [said = ""] = rest.split(" --hash", 1);
  const wanted = said.replace(/\\$/, "").trim();
  return [wantedPackage("PyPI", pythonName(name), wanted, pinned(wanted))];
}

/** `==1.2` is one version, `==1.*` is many. */
export function pinned(wanted: string): string | undefined {
  return /^\(?\s*===?\s*([\w.!+-]+)\s*\)?$/.exec(wanted)?.[1];
}
