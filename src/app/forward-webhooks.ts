import type { Logger } from "pino";
import { ForgeError } from "../domain/errors.ts";
import { WEBHOOK_PATH } from "../github/intake/http-server.ts";

/**
 * In development GitHub cannot reach this machine: a smee channel forwards its webhooks here (OPS-4). smee-client is a development
 * dependency, so it is looked for only when a channel is configured.
 */
export async function forwardWebhooks(source: string, port: number, log: Logger): Promise<() => void> {
  const { SmeeClient } = await import("smee-client").catch((cause: unknown) => {
    throw new ForgeError(
      "smee_missing",
      "WEBHOOK_PROXY_URL is set, but smee-client is not installed: run npm install.",
      {
        source: "resource",
        recoverability: "manual",
        cause,
      },
    );
  });
  const target = `http://127.0.0.1:${port}${WEBHOOK_PATH}`;
  const client = new SmeeClient({
    source,
    target,
    logger: { info: (text: string) => log.info(text), error: (text: string) => log.error(text) },
  });
  await client.start();
  return () => void client.stop();
}
