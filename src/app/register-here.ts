import { rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { EXIT, UsageError } from "../cli/dispatch.ts";
import { oneOf, parseOptions } from "../cli/parse-options.ts";
import { defined } from "../domain/defined.ts";
import { APP_USES } from "../github/permissions.ts";
import { readPlace } from "../setup/place.ts";
import { type Asker, registerAtTerminal } from "../setup/register-at-terminal.ts";
import { calledAs } from "../workspace/called-as.ts";
import { hasModels, readSetUpConfig } from "./config.ts";
import { createKeeper, tryModels } from "./keep-app.ts";
import { hasNoApp, withKeptApp } from "./kept-app.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The page to open, in the folder in which the command runs. */
const FILE = "forge-register.html";

interface Terminal {
  readonly in: NodeJS.ReadableStream & { isTTY?: boolean };
  readonly err: NodeJS.WritableStream;
  /** In which the command runs. */
  readonly folder: string;
}

/** `forge register`: the App from a machine without a browser (OPS-5). */
export async function registerHere(
  args: readonly string[],
  environment: Variables,
  terminal: Terminal = { in: process.stdin, err: process.stderr, folder: "." },
): Promise<number> {
  const { use, isPrinted, ...asked } = readArguments(args);
  const say = (text: string) => void terminal.err.write(`${text}\n`);
  if (!hasNoApp(await withKeptApp(environment))) {
    const doctor = `\`${calledAs(environment)} doctor\``;
    say(`forge: an App is set up here already, by the environment or in the data folder. ${doctor} says which.`);
    return EXIT.failed;
  }
  const { dataDirectory, known } = readSetUpConfig(environment);
  const form = new URLSearchParams(Object.entries(defined(asked)) as [string, string][]);
  const { place, problems } = readPlace(form, known, "");
  if (problems.length > 0) throw new UsageError(`${problems.join(" ")}${BEHIND_NAT}`);
  const keeper = createKeeper(resolve(dataDirectory), isPrinted, say);
  const model = { try: (chosen: Variables) => tryModels({ ...environment, ...chosen }), keep: keeper.keepModel };
  const { ask, close } = askAt(terminal);
  const file = resolve(terminal.folder, FILE);
  try {
    const app = await registerAtTerminal({
      ...{ ask, say, place, use, keep: keeper.keep },
      ...(hasModels(environment) ? {} : { model }),
      writeFile: async (text) => {
        // A repository may hold a link of this name: what it leads to is not written.
        await rm(file, { force: true });
        await writeFile(file, text, { mode: 0o600, flag: "wx" });
        return file;
      },
    });
    if (app === undefined) {
      say("\nforge: the input ended before an address was pasted, so nothing is kept here.");
      return EXIT.failed;
    }
    const start = `\`${calledAs(environment)} start\``;
    say(`Start Forge: ${start}. Then choose the repositories that it may work on: ${app.page}/installations/new`);
    return EXIT.ok;
  } finally {
    close();
    // It was good for this one time.
    await rm(file, { force: true });
  }
}

const BEHIND_NAT =
  " If GitHub cannot reach this machine, set WEBHOOK_PROXY_URL to a channel of smee.io, or give the address of a tunnel with --address.";

function readArguments(args: readonly string[]) {
  const options = {
    address: { type: "string" },
    github: { type: "string" },
    organization: { type: "string" },
    for: { type: "string", default: "implement" },
    "print-app": { type: "boolean", default: false },
  } as const;
  const { values } = parseOptions(args, { options });
  const { address, github, organization } = values;
  return { address, github, organization, use: oneOf("--for", APP_USES, values.for), isPrinted: values["print-app"] };
}

/** Lines of the terminal, or of what is piped into it. What is secret is not echoed. */
function askAt({ in: input, err }: Terminal) {
  let isMuted = false;
  const output = new Writable({
    write: (chunk, _, done) => {
      if (!isMuted) err.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input, output, terminal: input.isTTY === true });
  const iterator = lines[Symbol.asyncIterator]();
  const ask: Asker["ask"] = async (question, isSecret = false) => {
    err.write(question);
    isMuted = isSecret;
    const { value, done } = await iterator.next();
    isMuted = false;
    if (isSecret && input.isTTY) err.write("\n");
    return done ? undefined : String(value);
  };
  return { ask, close: () => lines.close() };
}
