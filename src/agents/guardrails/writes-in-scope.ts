import type { Guardrail } from "../loop/guardrail.ts";

/**
 * Writes stay within the task (LOOP-14): each path that a writing call names must be in scope. A call of such a tool that names no path
 * is out of scope.
 * @param writers names of the tools that write files
 */
export function writesInScope(writers: readonly string[], isInScope: (path: string) => boolean): Guardrail {
  return {
    name: "writes_in_scope",
    stages: ["tool_input"],
    tripwire: false,
    check: ({ tool, input }) => {
      if (tool === undefined || !writers.includes(tool)) return { pass: true };
      const paths = pathsOf(input);
      const outside = paths.find((path) => !isInScope(path));
      if (paths.length > 0 && outside === undefined) return { pass: true };
      const reason = outside === undefined ? "it names no file." : `${outside} is outside the scope of this task.`;
      return { pass: false, reason, severity: "high" };
    },
  };
}

/** The `path` of a call, and every file that a patch in it touches, on either side. */
function pathsOf(input: unknown): string[] {
  if (input === null || typeof input !== "object") return [];
  const { path, patch } = input as { path?: unknown; patch?: unknown };
  const touched = typeof patch === "string" ? [...patch.matchAll(/^(?:\+\+\+|---) (?:"?[ab]\/)?([^\t\n"]+)/gm)] : [];
  const named = touched.map((match) => match[1]!.trim()).filter((name) => name !== "/dev/null");
  return [...(typeof path === "string" ? [path] : []), ...new Set(named)];
}
