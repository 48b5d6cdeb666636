import { parsePatch } from "../../tools/edit/parse-patch.ts";
import { type CheckedCall, ToolFailure } from "../../tools/tool.ts";
import type { Permission } from "../ports.ts";
import type { Scope } from "./scope.ts";

/**
 * A policy that also asks where a file outside the plan would be written (LOOP-15): the call waits with a person, or is denied where nobody
 * is there. What the scope refuses for good is denied at once.
 * @param policy of the repository; its denial or question stands
 */
export function withScope(policy: (call: CheckedCall) => Permission, scope: Scope): (call: CheckedCall) => Permission {
  return (call) => {
    const permission = policy(call);
    if (permission.decision !== "allow") return permission;
    const places = writtenPaths(call.tool.name, call.input).map(scope);
    const refused = places.find(({ is }) => is === "refused");
    if (refused && "reason" in refused) return { decision: "deny", reason: refused.reason };
    const asks = places.flatMap((place) => (place.is === "ask" ? [place.reason] : []));
    return asks.length === 0 ? permission : { decision: "ask", reason: asks.join(" ") };
  };
}

/**
 * The same as the last wall, for tools that were handed it: an approved call of a file that a person has to allow goes through, one of a
 * file that is closed does not.
 */
export function refuseOutside(scope: Scope): (path: string) => string | undefined {
  return (path) => {
    const place = scope(path);
    return place.is === "refused" ? place.reason : undefined;
  };
}

/**
 * The files that a call would write, as its tool reads them; none of a patch that the tool will not read either. Of a call that a person
 * has approved these are what `ScopeFacts.allowed` takes, so that nobody is asked twice about a file.
 * @param input of the call, checked or as the gate holds it
 */
export function writtenPaths(tool: string, input: unknown): string[] {
  const { path, patch } = (input ?? {}) as { readonly path?: unknown; readonly patch?: unknown };
  switch (tool) {
    case "write_file":
    case "edit_file":
      return typeof path === "string" ? [path] : [];
    case "apply_patch":
      return typeof patch === "string" ? patched(patch) : [];
    default:
      return [];
  }
}

function patched(patch: string): string[] {
  try {
    return parsePatch(patch).map(({ newPath, oldPath }) => newPath ?? oldPath ?? "");
  } catch (error) {
    if (error instanceof ToolFailure) return [];
    throw error;
  }
}
