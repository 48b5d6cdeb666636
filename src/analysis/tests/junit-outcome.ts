import { z } from "zod";
import { decodeEntities } from "../reports/safe-xml.ts";

const text = z.string().optional().catch(undefined);
const Trouble = z.union([z.string(), z.object({ "@message": text, "#text": text, "@type": text })]).catch("");
export const Troubles = z.array(Trouble).optional().catch([]);

/** What one test of a JUnit report came to. */
export type JunitOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "skipped" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "unknown"; readonly said: string };

/** Words of the attributes `status` and `result`: of GoogleTest, CTest, Bazel, Boost, Spock and TestNG. */
const WORDS: ReadonlyMap<string, JunitOutcome["kind"]> = new Map([
  ...["run", "completed", "passed", "pass", "ok", "success", "successful", "true"].map((w) => [w, "passed"] as const),
  ...["skipped", "skip", "notrun", "not run", "not_run", "suppressed", "disabled", "ignored", "pending", "todo"].map(
    (word) => [word, "skipped"] as const,
  ),
  ...["failed", "fail", "failure", "error", "errored", "broken", "timeout", "timedout", "aborted", "crashed"].map(
    (word) => [word, "failed"] as const,
  ),
]);

/** Elements that make a test a failed one. PHPUnit writes a `warning` for a test that makes its run fail. */
const FAILING = ["failure", "error", "warning"];
/** Elements that say nothing of the result: what a test printed, and of Surefire its earlier attempts. */
const OTHERS = new Set(["system-out", "system-err", "properties", "property", "attachments", "attachment", "logs"]);
const ATTEMPT = /^(?:flaky|rerun)(?:Failure|Error)$/;

/** Elements in a `testcase` that are a list even where there is one. */
export const OUTCOME_LISTS = [...FAILING, "skipped"] as const;

/** Reads the result of a `testcase`, or of a suite that failed as a whole, from its elements and its attributes. */
export function junitOutcome(element: Readonly<Record<string, unknown>>): JunitOutcome {
  const troubles = FAILING.flatMap((name) => Troubles.parse(element[name]) ?? []);
  if (troubles.length > 0) return { kind: "failed", message: messageOf(troubles) };
  const unknown = Object.keys(element).find((name) => !isKnown(name));
  if (unknown !== undefined) return { kind: "unknown", said: unknown };
  const words = ["@status", "@result"].flatMap((name) => {
    const word = element[name];
    return typeof word === "string" && word !== "" ? [word] : [];
  });
  const kinds = words.map((word) => WORDS.get(word.toLowerCase()));
  const strange = words.find((_, at) => kinds[at] === undefined);
  if (strange !== undefined) return { kind: "unknown", said: decodeEntities(strange) };
  if (kinds.includes("failed")) return { kind: "failed", message: `The runner reports ${words.join(", ")}.` };
  return { kind: "skipped" in element || kinds.includes("skipped") ? "skipped" : "passed" };
}

function isKnown(name: string): boolean {
  return name.startsWith("@") || name.startsWith("#") || name === "skipped" || OTHERS.has(name) || ATTEMPT.test(name);
}

function messageOf(troubles: readonly z.infer<typeof Trouble>[]): string {
  return troubles
    .map((trouble) => {
      if (typeof trouble === "string") return trouble;
      const { "@message": message = "", "#text": body = "" } = trouble;
      return body.includes(message) ? body : `${message}\n${body}`;
    })
    .map((each) => decodeEntities(each.trim()))
    .join("\n");
}
