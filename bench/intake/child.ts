import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A server in a process of its own. */
export interface Child {
  readonly port: number;
  /** Asks the server something and waits for its answer. */
  ask<Answer>(message: string): Promise<Answer>;
  /** Ends the process that was started here. */
  end(): Promise<void>;
}

/** Starts `file` of this folder and waits until it says its port. */
export async function startChild(file: string, secret: string, args: readonly string[] = []): Promise<Child> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [...args], { env: { ...process.env, BENCH_SECRET: secret, LOG_LEVEL: "fatal" } });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the server ended with ${code}`);
  });
  ended.catch(() => {});
  const { port } = await answerOf<{ port: number }>(child, ended);
  return {
    port,
    ask: (message) => {
      const answer = answerOf<never>(child, ended);
      child.send(message);
      return answer;
    },
    end: async () => {
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
  };
}

async function answerOf<Answer>(child: ChildProcess, ended: Promise<never>): Promise<Answer> {
  const [answer] = await Promise.race([once(child, "message"), ended]);
  return answer as Answer;
}
