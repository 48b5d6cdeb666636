import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dashboardRoute } from "../../src/dashboard/open-dashboard.ts";
import type { PersonHost } from "../../src/github/person-host.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";

/** The pages on a database of their own, with a person who is signed in and sees 20 repositories. */
export interface Pages {
  readonly store: Store;
  /** The text of a page. @throws Error where there is none */
  get(path: string): Promise<string>;
  /** Opens a live stream and reads it until the signal. */
  listen(signal: AbortSignal): Promise<{ readonly ended: Promise<void> }>;
  stop(): void;
}

export async function openPages(file: string): Promise<Pages> {
  const store = await openStore({ url: `file:${file}` });
  const listed = Array.from({ length: 20 }, (_, index) => {
    return [100 + index, { fullName: `acme/shop-${index}`, permission: "write", installationId: 1 as const }] as const;
  });
  const host: PersonHost = {
    signInAddress: ({ state }) => `/?state=${state}`,
    tokenFor: async () => "token",
    whoIs: async () => ({ id: 1, login: "ana" }),
    repositoriesOf: async () => new Map(listed),
    comment: async () => {},
  };
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pages = dashboardRoute({
    ...{ store, host, origin: "https://github.example", now: () => new Date() },
    readMemories: async () => ({ items: [], more: 0 }),
    readInstalled: async () => undefined,
    deliveries: { latest: async () => [], redeliver: async () => undefined },
    settings: { url, clientId: "id", clientSecret: "secret", operators: [] },
    process: {
      dayLimitUsd: 200,
      hasModel: true,
      models: [],
      version: "0",
      asksAdvisories: true,
      sandbox: () => "ok",
      rateLimits: () => [],
    },
    log: { error: (fields, message) => console.error(message, fields) },
  });
  server.on("request", (request, response) => void pages.route(request, response, undefined as never));
  const cookies = new Map<string, string>();
  const ask = async (path: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(path, url), { headers: { cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const begun = await ask("/auth/login");
  const state = new URL(begun.headers.get("location") ?? "", url).searchParams.get("state");
  await ask(`/auth/callback?code=code&state=${state}`);
  return {
    store,
    get: async (path) => {
      const response = await ask(path);
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response.text();
    },
    listen: async (signal) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const { body } = await fetch(new URL("/live", url), { headers: { cookie }, signal });
      const drain = async () => {
        try {
          for await (const _ of body ?? []);
        } catch {
          // The signal.
        }
      };
      return { ended: drain() };
    },
    stop: () => {
      pages.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}
