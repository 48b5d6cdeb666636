import type { Connection } from "./connection.ts";
import { isBusy } from "./sqlite-code.ts";

/** Each try may wait for the whole busy timeout, and the event loop with it. */
const BUSY_RETRIES = 1;

/** Runs one commit; when another program held the lock, on a new connection once more. */
export async function retryBusy<Answer>(connection: Connection, commit: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await commit();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await connection.reopen();
      if (attempt === BUSY_RETRIES) throw error;
    }
  }
}
