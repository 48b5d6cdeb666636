import { createHmac } from "node:crypto";
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/** What is sent: so many messages a second to the door at this port, about so many things over and over. */
export interface Storm {
  readonly port: number;
  readonly seconds: number;
  readonly rate: number;
  readonly things: number;
  readonly secret: string;
  /** The number of the first message, and of the first thing; 0. */
  readonly from?: number;
}

/** What became of it; milliseconds, ascending. */
export interface Answered {
  readonly took: readonly number[];
  readonly refused: number;
  readonly seconds: number;
}

/** Sends a storm from a thread of its own, so that its own work is not counted as the server's. */
async function send({ port, seconds, rate, things, secret, from = 0 }: Storm): Promise<Answered> {
  const agent = new Agent({ keepAlive: true, maxSockets: 400 });
  const took: number[] = [];
  let refused = 0;
  const sendOne = (index: number) => {
    const body = JSON.stringify({
      data: {
        event: {
          event_id: String(from + index),
          issue_id: String(from + (index % things)),
          title: "Error",
          project: "shop",
        },
      },
    });
    const headers = {
      "sentry-hook-signature": createHmac("sha256", secret).update(body).digest("hex"),
      "content-length": Buffer.byteLength(body),
    };
    const began = performance.now();
    return new Promise<void>((resolve, reject) => {
      const to = { port, host: "127.0.0.1", path: "/api/feedback/sentry", method: "POST", agent, headers };
      const asked = request(to, (answer) => {
        if (answer.statusCode !== 202) refused += 1;
        answer.resume().on("end", () => {
          took.push(performance.now() - began);
          resolve();
        });
      });
      asked.on("error", reject).end(body);
    });
  };
  const began = performance.now();
  const sent: Promise<void>[] = [];
  while (sent.length < rate * seconds) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - began) / 1000) * rate));
    while (sent.length < due) sent.push(sendOne(sent.length));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(sent);
  agent.destroy();
  return { took: took.toSorted((one, other) => one - other), refused, seconds: (performance.now() - began) / 1000 };
}

parentPort?.postMessage(await send(workerData as Storm));
