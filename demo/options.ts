import { parseArgs } from "node:util";

export const USAGE = `usage: npm run demo [-- [implement | review | deploy | set-up] [--chaos [--seed <number>]] [--json] [--stay]]

Starts a GitHub and Forge on this machine, tells three stories on them, shows what people see, and ends.

  implement   only the first one: an issue becomes a pull request
  review      only the second one: what a review finds, and what people do with it
  deploy      only the third one: a change goes to production and back, and its fix stays there
  set-up      none: Forge begins with nothing, and you set it up in your browser, until Ctrl-C

  --chaos     kill Forge at random moments of one story (implement or deploy), which has to end as told all the same
  --seed      repeat the moments of another time
  --json      tell nothing, print one JSON object at the end
  --stay      keep everything running afterwards, until Ctrl-C
`;

export const STORIES = ["implement", "review", "deploy"] as const;
export type Story = (typeof STORIES)[number];

export interface Options {
  /** In the order of telling. */
  readonly stories: readonly Story[];
  /** What the moments come from at which Forge is killed; undefined where it is not. */
  readonly seed: number | undefined;
  readonly json: boolean;
  readonly stay: boolean;
}

/** Reads what was typed; what is not understood is answered with why. */
export function readOptions(
  args: readonly string[],
): Options | { readonly help: true } | { readonly setUp: true } | { readonly wrong: string } {
  const flag = { type: "boolean", default: false } as const;
  const options = {
    chaos: flag,
    json: flag,
    stay: flag,
    help: { ...flag, short: "h" },
    seed: { type: "string" },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { chaos, seed, json, stay, help } = values;
    if (help) return { help };
    const [word, ...more] = positionals;
    if (word === "set-up" && more.length === 0)
      return chaos || json || seed !== undefined ? { wrong: "set-up takes no option" } : { setUp: true };
    const stories = word === undefined ? STORIES : STORIES.filter((story) => story === word);
    if (stories.length === 0 || more.length > 0)
      return { wrong: `there is no story ${JSON.stringify(positionals.join(" "))}` };
    if (chaos && word === "review") return { wrong: "--chaos is for the stories implement and deploy" };
    if (seed !== undefined && (!chaos || !/^\d{1,9}$/.test(seed)))
      return { wrong: "--seed goes with --chaos, and is a number of at most nine digits" };
    return {
      stories: chaos ? stories.slice(0, 1) : stories,
      seed: chaos ? Number(seed ?? Date.now() % 1_000_000) : undefined,
      json,
      stay,
    };
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}
