import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { errorFacts, ForgeError } from "../domain/errors.ts";
import { guardConnections, REQUEST_LIMITS } from "../github/intake/guard-connections.ts";
import { trackConnections } from "../workspace/open-connections.ts";
import { createEntry } from "./entry.ts";
import { SETUP_PATH } from "./manifest.ts";
import { createOffers } from "./offers.ts";
import { failedPage } from "./pages.ts";
import type { SetUpOptions } from "./ports.ts";
import { send } from "./send-page.ts";
import { answer, type Visit } from "./visit.ts";

export interface SetUp {
  readonly port: number;
  /** To be opened once, by whoever sets Forge up. */
  readonly link: string;
  /** Resolves when an App was registered and kept. */
  readonly registered: Promise<void>;
  /** Resolves when there is nothing more to choose, and the last page was sent. */
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

/** Serves the pages that register the App and set up a model (OPS-5), and nothing else. @throws ForgeError `port_unavailable`. */
export async function serveSetUp(options: SetUpOptions): Promise<SetUp> {
  const entry = createEntry(options.now ?? (() => performance.now()));
  const registered = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const visit: Visit = {
    ...{ options, entry, offers: createOffers(), ownAddress: "", isBusy: false, isLate: false },
    step: { is: "offer" },
    onRegistered: registered.resolve,
    finish: done.resolve,
  };
  const server = createServer(REQUEST_LIMITS, (request, response) => {
    answer(visit, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, failedPage(errorFacts(error).message, undefined));
    });
  });
  guardConnections(server, { limit: 64 });
  const connections = trackConnections(server);
  const port = await listen(server, options.host, options.port);
  const name = options.host.includes(":") ? `[${options.host}]` : options.host;
  visit.ownAddress =
    options.known.address ?? `http://${/^(?:0\.0\.0\.0|\[::\])$/.test(name) ? "127.0.0.1" : name}:${port}`;
  return {
    port,
    registered: registered.promise,
    done: done.promise,
    link: `${visit.ownAddress}${SETUP_PATH}?token=${entry.token}`,
    stop: () => connections.close(2_000),
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `Cannot listen on ${host}:${port}: ${cause.message}. Set HOST and PORT to a free address.`;
      const how = { source: "resource", severity: "critical", recoverability: "manual", cause } as const;
      reject(new ForgeError("port_unavailable", message, how));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
