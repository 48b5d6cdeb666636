/** Ends one thing that was started. */
export type Undo = () => Promise<void> | void;

/**
 * Runs every undo once, the last first, one after the other. One that fails keeps none of the others from running: a server that went on
 * listening would keep the process alive.
 * @throws the first error, after all of them ran
 */
export async function undoAll(undos: Undo[]): Promise<void> {
  const errors: unknown[] = [];
  for (const undo of undos.splice(0).reverse()) {
    try {
      await undo();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
