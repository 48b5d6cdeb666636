import { fileURLToPath } from "node:url";

/** Frames of the stack that are named, innermost first. */
const MOST_FRAMES = 15;
/** How long the main thread gets to stop: a second is usual on a busy machine. It does not stop within a long query of the database. */
const ANSWER_MS = 10_000;

const CODE = new URL("../../", import.meta.url).href;

/**
 * Stops JavaScript on the main thread, in the middle of a regular expression too, and says where that was: `function file:line` for each
 * frame. The main thread never goes on, so this is for a process that ends. Empty where the main thread does not stop, or where this Node
 * has no inspector. It names code alone, no value of it.
 */
export async function whereItHangs(): Promise<readonly string[]> {
  try {
    const { Session } = await import("node:inspector");
    const session = new Session();
    session.connectToMainThread();
    const files = new Map<string, string>();
    session.on("Debugger.scriptParsed", ({ params }) => files.set(params.scriptId, params.url));
    return await new Promise((resolve) => {
      setTimeout(() => resolve([]), ANSWER_MS);
      session.on("Debugger.paused", ({ params }) => {
        const frames = params.callFrames.slice(0, MOST_FRAMES);
        resolve(
          frames.map(({ functionName, location: { scriptId, lineNumber } }) =>
            `${functionName || "(anonymous)"} ${nameOf(files.get(scriptId) ?? "")}:${lineNumber + 1}`.slice(0, 200),
          ),
        );
      });
      session.post("Debugger.enable");
      session.post("Debugger.pause");
    });
  } catch {
    return [];
  }
}

/** A file of Forge below its own folder, a package by its name. */
function nameOf(url: string): string {
  if (url.startsWith(CODE)) return url.slice(CODE.length);
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  const packages = path.lastIndexOf("node_modules/");
  return packages === -1 ? path : path.slice(packages);
}
