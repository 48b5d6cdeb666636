import { detectTestRunner, isPackage, MANIFESTS, type RunnerCommand } from "../../tools/run/test-runner.ts";
import type { RepositoryFiles } from "../../workspace/files/repository-files.ts";
import { openSandbox } from "../../workspace/sandbox/open-sandbox.ts";

/**
 * How a new test file of this repository is executed here, in words for a model that shall write one (REV-4). Undefined where it cannot
 * be: there is no sandbox, or no test runner that is known.
 */
export async function describeTesting(
  files: RepositoryFiles,
  installed: "all" | "none",
  signal: AbortSignal,
): Promise<string | undefined> {
  if ("unavailable" in (await openSandbox())) return undefined;
  const listed = await files.list(signal);
  if (!listed.ok) return undefined;
  const texts = await files.readMany(
    MANIFESTS.filter((path) => listed.paths.includes(path)),
    signal,
  );
  const command = detectTestRunner({ paths: listed.paths, textOf: (path) => texts.get(path)?.toString("utf8") });
  if (command === undefined || (installed === "none" && isPackage(command.runner))) return undefined;
  const shown = shownCommand(command);
  const packages =
    installed === "none"
      ? " Packages of the repository are not installed: import only its own files and what comes with the runtime."
      : "";
  return `\`${shown}\` at the root of the repository, Node ${process.versions.node}, no network; nothing is built before.${packages}`;
}

/** How its report gets out of the sandbox is no concern of who writes a test. */
function shownCommand(command: RunnerCommand): string {
  switch (command.runner) {
    case "vitest":
      return "vitest run <your file>";
    case "node:test":
      return "node --test <your file>";
    case "pytest":
      return "python3 -m pytest <your file>";
    case "tap":
      return "node <your file>";
    default:
      return `${command.runner} <your file>`;
  }
}
