import type { Redact } from "../../safety/redact.ts";
import type { Guardrail } from "../loop/guardrail.ts";

/** Secrets leave neither in words nor in what a tool is told to write (LOOP-14, SEC-6): words are redacted, calls refused. */
export function secretsInOutput(redact: Redact): Guardrail {
  return {
    name: "secrets_in_output",
    stages: ["reply", "tool_input"],
    tripwire: false,
    check: ({ text, stage }) => {
      const replacement = redact(text);
      if (replacement === text) return { pass: true };
      const reason = "it holds a secret. Leave the secret out.";
      return stage === "reply"
        ? { pass: false, reason, severity: "high", replacement }
        : { pass: false, reason, severity: "high" };
    },
  };
}
