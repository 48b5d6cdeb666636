import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLAIM_KINDS } from "../../src/agents/reviewer/claims.ts";
import { DEFINITION_RULES } from "../../src/analysis/patterns/definitions/rules.ts";
import { PYTHON_RULES } from "../../src/analysis/patterns/python/rules.ts";
import { RULES } from "../../src/analysis/patterns/rules/all-rules.ts";
import { FACTS, headline, remedyOf, ruleFacts, titleOf } from "../../src/analysis/rule-facts.ts";

const ROWS = [RULES, PYTHON_RULES, DEFINITION_RULES].flatMap(({ sinks, settings }) => [...sinks, ...settings]);

describe("rules", () => {
  it.each([...FACTS])("%s has a title in the words of the field and a sentence that says how to fix it", (_, facts) => {
    const { title, remedy, cwe, url } = facts;
    expect(title).toMatch(/^[\p{L}!%*+-].{2,79}$/u);
    expect(title).not.toMatch(/[.:]$|\bThis\b|\bpeople\b|everybody/i);
    expect(remedy).toMatch(/^[A-Z`].{6,}[.)]$/);
    if (cwe !== undefined) expect(cwe).toBeGreaterThan(0);
    if (url !== undefined) expect(new URL(url).protocol).toBe("https:");
  });

  it("of patterns share one title for one id, have a CWE, and their link leads to their heading in docs/patterns.md", () => {
    const headings = readFileSync(new URL("../../docs/patterns.md", import.meta.url), "utf8").matchAll(/^### (.+)$/gm);
    const anchors = new Set(
      Array.from(headings, ([, heading = ""]) => `docs/patterns.md#${heading.replaceAll(/[/`]/g, "")}`),
    );
    for (const [id, rows] of Map.groupBy(ROWS, (row) => row.id)) {
      expect(new Set(rows.map(({ title }) => title)).size, id).toBe(1);
      expect(ruleFacts(`patterns/${id}`)?.cwe, id).toBe(rows[0]?.cwe);
      expect(anchors, id).toContain(ruleFacts(`patterns/${id}`)?.docs);
    }
  });

  it("have the names that users search for", () => {
    const names = {
      "patterns/object/merge-loop": "Prototype pollution (CWE-1321)",
      "patterns/request/address": "Server-side request forgery (SSRF) (CWE-918)",
      "patterns/redirect/open": "Open redirect (CWE-601)",
      "patterns/page/html": "Cross-site scripting (XSS) (CWE-79)",
      "patterns/path/file": "Path traversal (CWE-22)",
      "patterns/crypto/timing": "Timing attack (CWE-208)",
      "ruff/B006-mutable-default": "Mutable default argument",
      "biome/suspicious/noDuplicateObjectKeys": "Duplicate object key",
      "secrets/npm-token": "Secret in the code: npm token (CWE-798)",
      "typecheck/TS2345": "Type error TS2345",
    };
    const found = Object.keys(names).map((rule) => [rule, headline({ rule, message: "It is so." })]);
    expect(Object.fromEntries(found)).toEqual(names);
  });

  it("cover every kind that the reviewer may claim, and leave the remedy to its own words", () => {
    for (const kind of Object.keys(CLAIM_KINDS)) expect(ruleFacts(`ai/${kind}`)?.title, kind).toBeDefined();
    expect(remedyOf({ rule: "ai/logic" })).toBeUndefined();
    expect(remedyOf({ rule: "ai/logic", remedy: "Swap them." })).toBe("Swap them.");
  });

  it("of foreign tools are named by their last part, and by the message where that is a number", () => {
    expect(titleOf("semgrep/audit/no-unsafeCall")).toBe("Unsafe call");
    expect(headline({ rule: "pylint/E1101", message: "No member.\nMore." })).toBe("No member");
  });
});
