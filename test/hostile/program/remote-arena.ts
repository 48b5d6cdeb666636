import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Turn } from "./turns.ts";

const CHILD = fileURLToPath(new URL("./arena-child.ts", import.meta.url));
/** What GitHub, the model and whoever lets payloads loose may hold in the end, payloads apart; then another process takes their place. */
const MOST_BYTES = 400 * 2 ** 20;

/** What the child is asked: a payload by its class and name, or to end. */
export type Asked = { readonly of: string; readonly name: string } | "end";

export interface Answer {
  /** What is wrong; empty when it held. */
  readonly faults: readonly string[];
  /** What the child holds beyond the payloads themselves. */
  readonly bytes: number;
}

/**
 * An arena in a process of its own, which holds GitHub, the model and what payloads are made of: so several are let loose at once, none waits
 * while another one is made, and what they leave in memory goes with the process.
 */
export interface RemoteArena {
  run(turn: Turn): Promise<readonly string[]>;
  /** Whether the last programs still did their work; what is wrong. */
  end(): Promise<readonly string[]>;
}

/** @param options arguments of the child: `--seed 1`, `--spare`, `--show` */
export function createRemoteArena(options: readonly string[]): RemoteArena {
  let child: ReturnType<typeof fork> | undefined;
  const afterwards: string[] = [];
  const ask = async (asked: Asked): Promise<Answer> => {
    child ??= fork(CHILD, options, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.send(asked);
    const answered = new AbortController();
    const { signal } = answered;
    const [answer] = await Promise.race([
      once(child, "message", { signal }) as Promise<[Answer]>,
      once(child, "exit", { signal }).then((): [Answer] => [
        { faults: ["what lets it loose ended by itself"], bytes: Infinity },
      ]),
    ]);
    // Whichever did not come is not listened for any more.
    answered.abort();
    return answer;
  };
  const end = async () => {
    if (!child) return;
    if (child.exitCode === null && child.signalCode === null) afterwards.push(...(await ask("end")).faults);
    child.kill("SIGKILL");
    child = undefined;
  };
  return {
    run: async ({ of, payload }) => {
      const { faults, bytes } = await ask({ of, name: payload.name });
      if (bytes > MOST_BYTES) await end();
      return faults;
    },
    end: async () => {
      await end();
      return afterwards;
    },
  };
}
