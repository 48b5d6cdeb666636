import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findProgram, startProgram } from "../../demo/servers/program.ts";
import { closeServer } from "../../simulator/close-server.ts";
import type { ProductionFeedback } from "../../src/domain/production-feedback.ts";
import { createBodyRoom } from "../../src/github/intake/body-room.ts";
import { feedbackRoute } from "../../src/github/intake/feedback-doors.ts";
import { createClean } from "../../src/monitoring/doors/clean-text.ts";
import { readMessages } from "../../src/monitoring/doors/read-messages.ts";
import { NO_SOURCES, type Sources } from "../../src/monitoring/open-sources.ts";
import { SourceSettings } from "../../src/monitoring/settings.ts";
import { createRedactor } from "../../src/safety/redact.ts";

const SECRET = "a secret of thirty-two characters";
const program = findProgram("prometheus-alertmanager") ?? findProgram("alertmanager");
if (!program)
  console.error(
    "\nNOT RUN: Alertmanager is not installed (apt-get install prometheus-alertmanager), so its notifications are not proven here.\n",
  );

const projects = { shop: { repository: "acme/shop", environment: "production" } };
const SOURCES: Sources = {
  ...NO_SOURCES,
  ...SourceSettings.parse({ doors: { alerts: { kind: "alertmanager", secret: { variable: "S" }, projects } } }),
  secretAt: () => SECRET,
};

/** A door on a real server, and what it took, each thing once for each time it was told. */
async function aDoor() {
  const told: ProductionFeedback[] = [];
  let heard = () => {};
  const log = { info: () => {}, warn: (fields: object) => console.error(fields), error: console.error };
  const clean = createClean(createRedactor([]));
  const accept = async ({ body }: { readonly body: Buffer }) => {
    told.push(...(await readMessages(body, SOURCES, clean)).flatMap(({ feedback }) => feedback));
    heard();
    return "accepted" as const;
  };
  const route = feedbackRoute({ sources: SOURCES, accept, log, now: () => new Date() });
  const bodies = createBodyRoom({ clientOf: ({ socket }) => socket, sendAway: (response) => response.destroy() });
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void route(request, response, bodies).then((served) => served || response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => closeServer(server));
  const until = async (isEnough: (told: readonly ProductionFeedback[]) => boolean) => {
    while (!isEnough(told)) await new Promise<void>((resolve) => (heard = resolve));
    return told;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/feedback/alerts`, until };
}

/** A real Alertmanager that notifies this address. */
async function anAlertmanager(file: string, url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "forge-alertmanager-"));
  writeFileSync(join(folder, "token"), SECRET);
  const receiver = [
    `  - name: forge`,
    `    webhook_configs:`,
    `      - url: ${url}`,
    `        send_resolved: true`,
    `        http_config: { authorization: { credentials_file: ${folder}/token } }`,
  ];
  const route = "route: { receiver: forge, group_by: [alertname], group_wait: 0s, group_interval: 1s }";
  writeFileSync(join(folder, "alertmanager.yml"), [route, "receivers:", ...receiver, ""].join("\n"));
  const args = [`--config.file=${folder}/alertmanager.yml`, `--storage.path=${folder}/data`, "--log.format=json"];
  const server = startProgram(file, [...args, "--web.listen-address=127.0.0.1:0", "--cluster.listen-address="]);
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const [, address] = await server.saying(/"address":"(127\.0\.0\.1:[1-9]\d*)"/);
  return `http://${address}`;
}

it.runIf(program !== undefined)(
  "PROD-2: a real Alertmanager tells the door of an alert that fires and is over, as one thing",
  async () => {
    const door = await aDoor();
    const url = await anAlertmanager(program!, door.url);
    const startsAt = new Date(Date.now() - 60_000).toISOString();
    const alert = {
      labels: { alertname: "HighErrorRate", project: "shop", version: "3f2c1ab" },
      annotations: { summary: "5xx above 5 %" },
    };
    const post = async (more: object) => {
      const body = JSON.stringify([{ ...alert, startsAt, ...more }]);
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${url}/api/v2/alerts`, { method: "POST", headers, body });
      expect(answer.status).toBe(200);
    };
    await post({});
    const [fired] = await door.until((told) => told.length > 0);
    expect(fired).toMatchObject({
      ...{ is: "alert", name: "HighErrorRate", resolved: false, summary: "5xx above 5 %", startsAt },
      labels: { version: "3f2c1ab" },
    });
    await post({ endsAt: new Date(Date.now() - 1_000).toISOString() });
    const told = await door.until((all) => all.some(({ resolved }) => resolved));
    const over = told.find(({ resolved }) => resolved);
    expect(over?.fingerprint).toBe(fired?.fingerprint);
    expect(over?.id).not.toBe(fired?.id);
  },
  300_000,
);
