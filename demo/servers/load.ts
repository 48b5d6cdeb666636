import { Agent, get } from "node:http";
import { createRandom } from "../random.ts";

const TICK_MS = 20;
const COUNTRIES = ["DE", "DE", "DE", "FR", "AT", "PL", "US"] as const;
const MOST_GRAMS = 31_500;
/** An answer after that is no help to a customer. */
const PATIENCE_MS = 5_000;

/** How many answers came, by version and status code, such as "3f2c1ab 200"; "none" where no answer came. */
export type Counts = ReadonlyMap<string, number>;

/** Customers who ask what parcels cost: the same ones for the same seed. */
export function createCustomers(seed: number, send: (path: string) => void): (requests: number) => void {
  const random = createRandom(seed);
  return (requests) => {
    for (let i = 0; i < requests; i += 1) {
      const grams = 1 + Math.floor(random() * MOST_GRAMS);
      const country = COUNTRIES[Math.floor(random() * COUNTRIES.length)];
      send(`/postage?grams=${grams}&to=${country}`);
    }
  };
}

/**
 * Asks an address, counts what comes back. `idle` resolves when everything that was asked is answered. `patienceMs` is how long each waits for its
 * answer; 0: for ever.
 */
export function createAsking(address: string, patienceMs = PATIENCE_MS) {
  const agent = new Agent({ keepAlive: true });
  const counts = new Map<string, number>();
  const open = new Set<Promise<void>>();
  const count = (key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

  function send(path: string): void {
    const answered = new Promise<void>((resolve) => {
      const done = (key: string) => {
        count(key);
        resolve();
      };
      const asked = get(`${address}${path}`, { agent, timeout: patienceMs }, (response) => {
        response.resume();
        response.once("end", () => done(`${String(response.headers["x-version"] ?? "-")} ${response.statusCode}`));
        response.once("error", () => done("none"));
      });
      asked.once("timeout", () => asked.destroy());
      asked.once("error", () => done("none"));
    });
    open.add(answered);
    void answered.then(() => open.delete(answered));
  }

  return {
    send,
    counts: counts as Counts,
    idle: async () => void (await Promise.all(open)),
    close: () => agent.destroy(),
  };
}

/** So many requests a second, evenly, until it is stopped. */
export function startLoad(address: string, { perSecond, seed }: { readonly perSecond: number; readonly seed: number }) {
  const asking = createAsking(address);
  const customers = createCustomers(seed, asking.send);
  let last = performance.now();
  let owed = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    // Requests that were not made while this machine was suspended are not made later.
    owed += (Math.min(now - last, 10 * TICK_MS) / 1000) * perSecond;
    last = now;
    customers(Math.floor(owed));
    owed -= Math.floor(owed);
  }, TICK_MS);
  return {
    counts: asking.counts,
    stop: () => {
      clearInterval(timer);
      asking.close();
    },
  };
}
