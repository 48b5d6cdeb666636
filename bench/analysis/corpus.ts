import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const MODULE_PARTS = 24;

/** TypeScript as people write it, and nothing wrong with it: types, classes, asynchronous code, patterns, generics. */
function part(seed: number, at: number): string {
  const id = `${seed}x${at}`;
  return `
/** One order of shelf ${at} in store ${seed}, as the service sends it. */
export interface Order${id} {
  readonly number: number;
  readonly customer: { readonly name: string; readonly country?: string };
  readonly lines: readonly { readonly article: string; readonly pieces: number; readonly price: number }[];
}

export type Outcome${id} = { readonly ok: true; readonly total: number } | { readonly ok: false; readonly reason: string };

const NUMBER_${id} = /^(?<year>\\d{4})-(?<count>\\d{1,6})$/;

export class Ledger${id}<T extends Order${id}> {
  readonly #orders = new Map<number, T>();
  #limit = ${seed % 977};

  add(order: T): Outcome${id} {
    if (this.#orders.size >= this.#limit) return { ok: false, reason: \`more than \${this.#limit} orders\` };
    this.#orders.set(order.number, order);
    return { ok: true, total: total${id}(order) };
  }

  async load(numbers: readonly string[], fetchOrder: (count: number) => Promise<T | undefined>): Promise<Outcome${id}[]> {
    const outcomes: Outcome${id}[] = [];
    for (const text of numbers) {
      const count = Number(NUMBER_${id}.exec(text)?.groups?.count ?? Number.NaN);
      if (Number.isNaN(count)) {
        outcomes.push({ ok: false, reason: "not a number of an order" });
        continue;
      }
      const order = await fetchOrder(count);
      outcomes.push(order === undefined ? { ok: false, reason: "unknown" } : this.add(order));
    }
    return outcomes;
  }
}

function total${id}({ lines, customer }: Order${id}): number {
  let sum = 0;
  for (const { pieces, price } of lines) sum += pieces * price;
  switch (customer.country ?? "none") {
    case "none":
      return sum;
    case "land${at}":
      return sum * 1.${(seed % 89) + 10};
    default:
      return Math.round(sum * ${at + 2}) / 100;
  }
}
`;
}

/** Writes modules of about 35 KB until they have \`bytes\` together. @returns their paths, relative to the folder */
export function writeCorpus(folder: string, bytes: number): string[] {
  const paths: string[] = [];
  for (let written = 0, seed = 1; written < bytes; seed += 1) {
    const text = Array.from({ length: MODULE_PARTS }, (_, at) => part(seed, at)).join("");
    const path = `src/part${Math.floor(seed / 50)}/module${seed}.ts`;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    paths.push(path);
    written += text.length;
  }
  return paths;
}
