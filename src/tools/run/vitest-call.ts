/** In the sandbox's own temporary folder, which goes with the run. */
const REPORT = "/tmp/forge-vitest.json";

/**
 * Since its fifth version Vitest writes its JSON to a file and no longer prints it, and what it prints to is nothing that it can open as
 * one. The text of the script is always this; file names and patterns are arguments that no shell reads.
 */
const SCRIPT =
  'node_modules/.bin/vitest run --reporter=json --outputFile="$0" "$@"; code=$?; cat "$0" 2>/dev/null; exit $code';

/** The command line for Vitest that prints its report, of whatever version it is. @param args behind `vitest run` */
export function vitestCall(args: readonly string[]): { readonly program: string; readonly args: readonly string[] } {
  return { program: "sh", args: ["-c", SCRIPT, REPORT, ...args] };
}
