import { storageError } from "./storage-error.ts";

/** Runs a query of Drizzle's builder; a known failure of the storage is thrown as a ForgeError. */
export async function reading<Rows>(query: PromiseLike<Rows>): Promise<Rows> {
  try {
    return await query;
  } catch (error) {
    throw storageError(error);
  }
}
