import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/domain/commands.ts";
import { type Finding, guardOf } from "../../../src/domain/findings.ts";
import { ROLES, type Role } from "../../../src/domain/subjects.ts";
import { roleFrom } from "../../../src/github/comment-reader.ts";
import { refusedByRole, type Target } from "../../../src/pipeline/commands/decide-command.ts";

const finding = (to: Partial<Finding> = {}): Finding => ({
  id: "F-7K2Q",
  fingerprint: "f".repeat(64),
  source: "security",
  rule: "secrets/aws",
  severity: "error",
  category: "security",
  file: "a.ts",
  line: 1,
  endLine: 1,
  message: "m",
  confidence: 0.9,
  ...to,
});
const secret = finding({ secret: true });
const critical = finding({ severity: "critical" });
const dismiss = (scope: "here" | "path" | "rule"): Command => ({
  name: "dismiss",
  reason: "",
  scope: scope === "path" ? { kind: "path", glob: "**" } : { kind: scope },
});

/** The table of SPEC, "Commands and who may", as far as these commands go: the least role for each. */
const TABLE: [string, Command, Target | undefined, Role][] = [
  ["review", { name: "review", full: false }, undefined, "triage"],
  ["review --full", { name: "review", full: true }, undefined, "triage"],
  ["dismiss --here", dismiss("here"), { finding: finding() }, "triage"],
  ["dismiss --path", dismiss("path"), { finding: finding() }, "write"],
  ["dismiss --rule", dismiss("rule"), { finding: finding() }, "write"],
  ["dismiss of a secret", dismiss("here"), { finding: secret }, "write"],
  ["dismiss of a critical security finding", dismiss("here"), { finding: critical }, "write"],
  ["undismiss", { name: "undismiss" }, { finding: finding(), scope: { kind: "here" } }, "triage"],
  ["undismiss of a rule", { name: "undismiss" }, { finding: finding(), scope: { kind: "rule" } }, "write"],
  ["undismiss of a secret", { name: "undismiss" }, { finding: secret }, "write"],
  ["override", { name: "override", check: "forge/review", reason: "r" }, undefined, "maintain"],
  ["pause", { name: "pause", repository: false }, undefined, "triage"],
  ["pause --repository", { name: "pause", repository: true }, undefined, "maintain"],
  ["unpause", { name: "unpause", repository: false }, undefined, "triage"],
  ["unpause --repository", { name: "unpause", repository: true }, undefined, "maintain"],
  ["help", { name: "help" }, undefined, "read"],
  ["status", { name: "status" }, undefined, "read"],
  ["explain", { name: "explain" }, { finding: secret }, "read"],
  ["config", { name: "config" }, undefined, "triage"],
  ["history", { name: "history" }, undefined, "triage"],
  ["test", { name: "test" }, undefined, "triage"],
  ["implement", { name: "implement" }, undefined, "write"],
  ["plan", { name: "plan" }, undefined, "write"],
  ["fix", { name: "fix", findings: [] }, undefined, "write"],
  ["retry", { name: "retry" }, undefined, "write"],
  // Push, or whoever was asked; who that was is known where the question is.
  ["answer", { name: "answer", text: "yes" }, undefined, "read"],
];

describe("GH-14: who may give which command", () => {
  for (const [name, command, target, least] of TABLE) {
    it.each(ROLES)(`${name} by %s`, (role) => {
      const refusal = refusedByRole(command, role, target);
      if (ROLES.indexOf(role) >= ROLES.indexOf(least)) expect(refusal).toBeUndefined();
      else expect(refusal).toMatchObject({ reason: "role", name: command.name, needs: least, has: role });
    });
  }

  it("reads the role from the flags, which do not fold maintain and triage away", () => {
    const all = { admin: true, maintain: true, push: true, triage: true, pull: true };
    expect(roleFrom(all)).toBe("admin");
    expect(roleFrom({ ...all, admin: false })).toBe("maintain");
    expect(roleFrom({ push: true, triage: true, pull: true })).toBe("write");
    expect(roleFrom({ triage: true, pull: true })).toBe("triage");
    expect(roleFrom({ pull: true })).toBe("read");
    expect(roleFrom({})).toBe("none");
  });

  it("guards secrets and critical security findings, nothing else", () => {
    expect(guardOf(secret)).toBe("secret");
    expect(guardOf(critical)).toBe("critical");
    expect(guardOf(finding())).toBeUndefined();
    expect(guardOf(finding({ severity: "critical", category: "correctness" }))).toBeUndefined();
  });
});
