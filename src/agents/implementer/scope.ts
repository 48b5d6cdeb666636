import { posix } from "node:path";
import { isTestPath } from "../../analysis/classify-file.ts";
import { isWanted } from "../../analysis/path-filter.ts";
import type { Plan } from "../../domain/plan.ts";
import { parsePatch } from "../../tools/edit/parse-patch.ts";
import { type CheckedCall, ToolFailure } from "../../tools/tool.ts";
import { cleanPath } from "../../workspace/files/clean-path.ts";
import { governsWhat } from "../governing-files.ts";
import type { Permission } from "../ports.ts";

/** Whether a file may be written: it is part of the work, a person has to say so, or never. */
export type WriteAccess =
  | { readonly is: "inside" }
  /** Why, in sentences for the person who is asked, and for the model. */
  | { readonly is: "ask" | "refused"; readonly reason: string };

export type Scope = (path: string) => WriteAccess;

export interface ScopeFacts {
  /** Files of the base, as git lists them: what the branch added is no part of these. */
  readonly paths: readonly string[];
  /** Files that the branch changes already: they count as planned. */
  readonly changed?: readonly string[];
  /** Globs, `review.protected_paths` of the configuration. */
  readonly protectedPaths: readonly string[];
  /** Paths that a person has allowed, by approving a call that writes them, or by asking for it. */
  readonly allowed?: readonly string[];
}

/**
 * Where an implementer may write (SEC-5, LOOP-14): the files of all tasks and of the branch, tests beside them, and new files in the
 * folders of these. Any other file of the repository needs a person's word. What decides what runs or who must agree needs one even where
 * the plan names it, and is closed where it does not.
 */
export function scopeOf(
  plan: Pick<Plan, "tasks">,
  { paths, protectedPaths, changed = [], allowed = [] }: ScopeFacts,
): Scope {
  const planned = new Set([...plan.tasks.flatMap(({ files }) => files), ...changed]);
  const folders = new Set([...planned].filter((path) => !isTestPath(path)).map((path) => posix.dirname(path)));
  const isNeighbour = (path: string) => !existing.has(path) && !isSetting(path) && folders.has(posix.dirname(path));
  const existing = new Set(paths);
  const isAllowed = new Set(allowed.map((path) => path.replace(/^(?:\.\/)+/, "")));
  const isProtected = (path: string) =>
    protectedPaths.length > 0 && isWanted(path, { include: protectedPaths, exclude: [] });
  return (given) => {
    const clean = cleanPath(given);
    if (!clean.ok) return { is: "refused", reason: clean.detail };
    const { path } = clean;
    if (isAllowed.has(path)) return { is: "inside" };
    const shown = JSON.stringify(path);
    const governing = governsWhat(path);
    if (governing !== undefined) {
      return planned.has(path)
        ? { is: "ask", reason: `${shown} is ${governing}: a person decides about each change of it.` }
        : {
            is: "refused",
            reason: `${shown} is ${governing}, and the plan does not name it: it is not to be changed.`,
          };
    }
    if (planned.has(path)) return { is: "inside" };
    const outside: WriteAccess = { is: "ask", reason: `${shown} is not among the files of the plan.` };
    if (isProtected(path)) return { is: "ask", reason: `${shown} is protected, and the plan does not name it.` };
    if (isTestPath(path)) return isBeside(path, folders) ? { is: "inside" } : outside;
    return isNeighbour(path) ? { is: "inside" } : outside;
  };
}

/** New files at the root, and hidden ones, are what tools look for: they change more than the code beside them. */
function isSetting(path: string): boolean {
  return !path.includes("/") || /(?:^|\/)\./.test(path);
}

/** Whether a test stands in a folder of the planned code or above it, or in a folder of tests there. */
function isBeside(test: string, folders: ReadonlySet<string>): boolean {
  const names = posix.dirname(test).split("/");
  const at = names.findIndex((name) =>
    /^(?:tests?|__tests__|specs?|e2e|fixtures?|__fixtures__|testdata|mocks?|__mocks__)$/i.test(name),
  );
  const base = (at === -1 ? names : names.slice(0, at)).join("/");
  if (base === "" || base === ".") return true;
  return [...folders].some((folder) => folder === base || folder.startsWith(`${base}/`));
}

/**
 * A policy that also asks where a file outside the plan would be written (LOOP-15): the call waits with a person, or is denied where no person
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
 * has approved these are what `ScopeFacts.allowed` takes, so that no question is asked twice about a file.
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
