import type { Observation, Severity } from "../../domain/findings.ts";
import { KUBERNETES_SECRET } from "../../safety/secrets/kubernetes-secrets.ts";
import type { SecretKind } from "../../safety/secrets/secret-format.ts";
import { SECRET_FORMATS } from "../../safety/secrets/secret-formats.ts";
import { SERVICE_SECRETS } from "../../safety/secrets/service-secrets.ts";
import { NAMED_KINDS } from "./named-secrets.ts";
import { SENSITIVE_FILE_KIND } from "./sensitive-files.ts";

/** Shown of a secret, and only of one that is long enough to stay secret. */
const PREFIX_CHARACTERS = 4;
const SHORTEST_SHOWN = 16;

const CHECKSUM_CONFIDENCE = 0.99;

type SecretObservation = Omit<Observation, "file" | "line" | "column" | "endLine" | "endColumn">;

/** What is said of a secret wherever it stands; never its value, of which at most four characters are shown. */
export function describeSecret(
  match: { readonly rule: string; readonly proven?: boolean },
  value: string,
  file: { readonly test: boolean },
): SecretObservation {
  const kind = SECRET_KINDS.get(match.rule);
  const sure = kind?.sure ?? true;
  const blocks = sure && !(file.test && kind?.mildInTests);
  const confidence = match.proven ? CHECKSUM_CONFIDENCE : (kind?.confidence ?? 0.9);
  return {
    source: "security",
    rule: `secrets/${match.rule}`,
    severity: severityOf(blocks, sure || !file.test),
    category: "security",
    ...wordsFor(kind?.what ?? `a secret (${match.rule})`, blocks),
    confidence: blocks ? confidence : confidence - 0.1,
    evidence: `${value.length < SHORTEST_SHOWN ? "" : value.slice(0, PREFIX_CHARACTERS).replace(/\s/g, "")}…`,
    ...(blocks ? { secret: true } : {}),
  };
}

function severityOf(blocks: boolean, matters: boolean): Severity {
  if (blocks) return "critical";
  return matters ? "warning" : "info";
}

/** How to fix a secret of any kind. */
export const SECRET_REMEDY = "Rotate it, then remove it from the history of the branch.";

function wordsFor(what: string, blocks: boolean): Pick<Observation, "message" | "why" | "remedy"> {
  if (!blocks) {
    return {
      message: `This looks like ${what}.`,
      why: "Anyone who can read the repository can read it too.",
      remedy:
        "If it opens anything real, rotate it and keep it out of the repository; a value made for tests can stay.",
    };
  }
  return {
    message: `This adds ${what} to the repository.`,
    why: "Anyone who can read the repository can use it, now and from its history.",
    remedy: SECRET_REMEDY,
  };
}

/** Every kind by its rule. */
export const SECRET_KINDS: ReadonlyMap<string, SecretKind> = new Map(
  [...SECRET_FORMATS, ...SERVICE_SECRETS, ...NAMED_KINDS, KUBERNETES_SECRET, SENSITIVE_FILE_KIND].map((kind) => [
    kind.rule,
    kind,
  ]),
);
