import { pino } from "pino";
import type { Examination } from "../cli/doctor.ts";
import { createAppClient } from "../github/app-client.ts";
import { WEBHOOK_PATH } from "../github/intake/http-server.ts";
import { calledAs } from "../workspace/called-as.ts";
import { ownVersion } from "../workspace/own-version.ts";
import { type Config, secretsOf } from "./config.ts";
import { examineApp, examineWebhook, withoutSecrets } from "./examine.ts";
import { examineProgram, examineSources } from "./examine-deploying.ts";
import { namedModels } from "./examine-models.ts";
import { examineSandbox } from "./examine-sandbox.ts";

/**
 * The state of a Forge that has started, line by line, for a person at a terminal. Asks GitHub; calls no model.
 * @param port absent where this process takes no webhooks
 * @param pageLink to the page of the process, where nobody can sign in
 */
export async function* startLines(
  config: Config,
  port: number | undefined,
  pageLink?: string,
): AsyncGenerator<string, void, void> {
  const { host } = config.http;
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  yield `Forge ${ownVersion()} is running. Ctrl-C stops it.`;
  if (port !== undefined) {
    yield row("address", address);
    yield row("webhooks", `POST ${address}${WEBHOOK_PATH}`);
    yield row("dashboard", config.dashboard?.url ?? "off: set FORGE_URL, GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET");
    if (pageLink !== undefined) yield row("this process", `${pageLink} (good once, on this machine, for an hour)`);
  }
  yield* rows(await namedModels(config.models));
  const client = createAppClient({
    appId: config.app.id,
    privateKey: config.app.privateKey,
    webhookSecret: config.webhookSecrets[0]!,
    apiUrl: config.github.apiUrl,
    log: pino({ level: "silent" }),
  });
  let missing = 0;
  const seen = async function* () {
    yield* examineApp(client);
    yield await examineWebhook(client);
    yield await examineSandbox();
    // Most who start do not deploy: what they did not set up is no news here.
    const program = await examineProgram(config);
    if (program.state !== "off") yield program;
    for await (const source of examineSources(config)) if (source.state !== "off") yield source;
  };
  for await (const examination of withoutSecrets(secretsOf(config), seen())) {
    // Without an answer about the App, the webhook has none either.
    if (examination.what === "webhook" && missing > 0 && examination.state === "warning") continue;
    if (examination.state === "warning" || examination.state === "wrong") missing += 1;
    yield* rows(examination);
  }
  yield row("missing", missing === 0 ? "nothing" : `see above; \`${calledAs()} doctor\` looks again`);
}

function* rows({ what, state, detail, advice }: Examination): Generator<string, void, void> {
  yield row(what, state === "ok" ? detail : `${state}: ${detail}`);
  if (state !== "ok" && advice !== undefined) yield row("", `→ ${advice}`);
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(12)} ${text}`;
}
