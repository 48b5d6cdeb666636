import { createClient } from "@libsql/client";

/** How many deliveries a database file holds, asked on a connection of its own after the server has let go of it. */
export async function countDeliveries(url: string): Promise<number> {
  const client = createClient({ url });
  try {
    const { rows } = await client.execute("select count(*) as deliveries from deliveries");
    return Number(rows[0]?.deliveries);
  } finally {
    client.close();
  }
}
