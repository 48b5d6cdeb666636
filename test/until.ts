/** How long a test waits before it looks again, in milliseconds. */
const AGAIN_MS = 15;

/**
 * Looks until something is so, for what tells nobody when it changes. A wait that never ends runs into the suite's own timeout.
 * @throws what a look throws
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
}
