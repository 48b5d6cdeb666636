import { relative } from "node:path";
import { deployFaults, queryFaults } from "../../analysis/configuration/deploy-faults.ts";
import { parseConfiguration } from "../../analysis/configuration/parse-configuration.ts";
import { ENVIRONMENTS } from "../../domain/deployments.ts";
import { ForgeError } from "../../domain/errors.ts";
import { CONFIGURATION_PATH } from "../../domain/repo-config.ts";
import type { ProjectFacts } from "../../pipeline/local/look-at-project.ts";
import { settingsFile } from "../../pipeline/project/settings-file.ts";
import { effectiveConfiguration } from "../../pipeline/runs/configuration/effective-configuration.ts";
import { plainLine } from "../../safety/plain-line.ts";
import { calledAs, quoted } from "../../workspace/called-as.ts";
import { EXIT, UsageError } from "../dispatch.ts";
import { folderNamed } from "../folder-argument.ts";
import { parseOptions } from "../parse-options.ts";
import type { Output } from "../terminal.ts";
import { foundWords } from "./found-words.ts";

/**
 * `forge init`: looks at a project and writes its `.github/forge.yml`, which is never replaced unless the user says so.
 * @throws UsageError; ForgeError `settings_not_written`, and what `look` throws
 */
export async function runInit(
  args: readonly string[],
  look: (folder: string) => Promise<ProjectFacts>,
  { out, err, redact }: Output,
): Promise<number> {
  const { named, print, force } = readArguments(args);
  const folder = await folderNamed(named, "init");
  if (folder === undefined) throw new UsageError(`there is no folder ${named}`);
  const facts = await look(folder);
  const signal = new AbortController().signal;
  const written = redact(settingsFile(facts));
  if (print) {
    out.write(written);
    return EXIT.ok;
  }
  const place = relative(process.cwd(), `${facts.root}/${CONFIGURATION_PATH}`);
  const before = await facts.files.read(CONFIGURATION_PATH, signal);
  if (before.ok && !force) {
    const state = await stateOf(before.content.toString("utf8"), facts.files, signal);
    err.write(`${keptWords(place, state, named)}\n`);
    return EXIT.failed;
  }
  const change = {
    path: CONFIGURATION_PATH,
    content: Buffer.from(written),
    before: before.ok ? before.content : undefined,
  };
  const done = await facts.files.change([change], signal);
  if (!done.ok) {
    const options = { source: "resource", recoverability: "manual" } as const;
    throw new ForgeError("settings_not_written", `${place} was not written. ${done.detail}`, options);
  }
  out.write(redact(`${before.ok ? "Replaced" : "Wrote"} ${place}\n\n${foundWords(facts)}\n\n${nextWords(facts)}\n`));
  return EXIT.ok;
}

function readArguments(args: readonly string[]) {
  const { values, positionals } = parseOptions(args, {
    allowPositionals: true,
    options: { print: { type: "boolean", default: false }, force: { type: "boolean", default: false } },
  });
  if (positionals.length > 1) throw new UsageError("init takes one folder");
  if (values.print && values.force) throw new UsageError("--print writes no file, so it takes no --force");
  return { named: positionals[0] ?? ".", ...values };
}

/** Whether Forge can read the file that is there already, and deploy as it says. */
async function stateOf(text: string, files: ProjectFacts["files"], signal: AbortSignal): Promise<string> {
  const parsed = parseConfiguration(text);
  if (!parsed.ok) {
    const [first] = parsed.mistakes;
    return `It has a mistake in line ${first?.line}: ${plainLine(first?.message ?? "")}`;
  }
  const { value } = effectiveConfiguration({ repository: parsed.given });
  const workflows = ENVIRONMENTS.flatMap((name) => value.deploy[name]?.workflow ?? []);
  const read = await Promise.all(workflows.map((path) => files.read(path, signal)));
  const there = new Set(workflows.filter((_, at) => read[at]?.ok));
  const faults = deployFaults(value, (path) => there.has(path)).filter(({ severity }) => severity === "error");
  return [
    "Forge can read it.",
    ...[...faults, ...queryFaults(parsed.given)].map(({ message }) => plainLine(message)),
  ].join("\n");
}

/** What to do about a file that is there already. */
function keptWords(place: string, state: string, named: string): string {
  const again = `${calledAs()} init${named === "." ? "" : ` ${quoted(named)}`}`;
  return [
    `forge: ${place} exists already, and nothing was changed. ${state}`,
    `To see what would be written: ${again} --print`,
    `To replace the file: ${again} --force`,
  ].join("\n");
}

function nextWords({ root, isCheckout, tests, noSandbox }: ProjectFacts): string {
  const here = quoted(relative(process.cwd(), root) || ".");
  const forge = calledAs();
  const steps = [
    [`${forge} review ${here}`, "review what you changed"],
    ...(tests && !noSandbox ? [[`${forge} test ${here}`, "run the tests that your change affects"]] : []),
    ...(isCheckout
      ? [
          [
            `git${here === "." ? "" : ` -C ${here}`} add ${CONFIGURATION_PATH}`,
            "commit it: Forge reads the default branch",
          ],
        ]
      : []),
  ] as const;
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return ["Next:", ...steps.map(([command = "", why]) => `  ${command.padEnd(width)}  ${why}`)].join("\n");
}
