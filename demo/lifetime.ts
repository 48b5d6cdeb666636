import { clearPlace, makePlace, type Place } from "./place.ts";

const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
  /** At once and without waiting, for when the process exits. */
  kill?(): void;
}

/** From the first folder to the last process: what was made is gone at the end, however the end comes. */
export interface Lifetime {
  readonly place: Place;
  /** Aborted by the first Ctrl-C; a second one does not wait for anything. */
  readonly signal: AbortSignal;
  /** As a shell reports it: 128 and the number of the signal; undefined when there was none. */
  interruptedWith(): number | undefined;
  /** Stops it at the end; what came last is stopped first. */
  keep<T extends Running>(running: T): T;
  end(options: { readonly keepLog: boolean }): Promise<void>;
}

export async function startLifetime(): Promise<Lifetime> {
  const place = await makePlace();
  const controller = new AbortController();
  const running: Running[] = [];
  let code: number | undefined;
  let keepLog = false;

  process.on("exit", () => {
    for (const each of running) each.kill?.();
    clearPlace(place, { keepLog });
  });
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (code !== undefined) process.exit(code);
      code = 128 + number;
      controller.abort();
    });
  }
  // The reader may leave first, as `head` does.
  process.stdout.on("error", () => {
    code ??= 1;
    controller.abort();
  });

  return {
    place,
    signal: controller.signal,
    interruptedWith: () => code,
    keep: (it) => {
      running.push(it);
      return it;
    },
    end: async (options) => {
      keepLog = options.keepLog;
      for (let last = running.at(-1); last; last = running.at(-1)) {
        await last.stop();
        running.pop();
      }
    },
  };
}
