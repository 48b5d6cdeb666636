/**
 * Who may be in a folder at the same time: any number of readers, or one that changes it. A program in the sandbox counts as one that
 * changes it, so no file tool runs while hostile code could swap what a path leads to.
 */
export interface FolderLock {
  /** Goes up whenever somebody has had the folder to change it: what was seen of it at the same version is still so. After one that failed it is never the same twice. */
  readonly version: number;
  /** @throws the signal's reason when it is aborted before the turn comes */
  shared<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /**
   * No one else is there, and the files stay as they are.
   * @throws the signal's reason when it is aborted before the turn comes
   */
  alone<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
  /**
   * May change the files.
   * @throws the signal's reason when it is aborted before the turn comes
   */
  exclusive<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly exclusive: boolean;
  readonly start: () => void;
}

/** Turns come in the order of asking, so that a stream of readers cannot keep a writer out for ever. */
export function createFolderLock(): FolderLock {
  const queue: Waiting[] = [];
  let readers = 0;
  let writing = false;
  let version = 0;
  /** After a failure the folder's state is unknown: a program that could not be ended may still be there. */
  let isUncertain = false;

  const admit = () => {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      if (writing || (next.exclusive && readers > 0)) return;
      queue.shift();
      if (next.exclusive) writing = true;
      else readers += 1;
      next.start();
    }
  };

  const turn = (exclusive: boolean, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const waiting: Waiting = {
        exclusive,
        start: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal?.reason);
        admit();
      };
      signal?.addEventListener("abort", leave, { once: true });
      queue.push(waiting);
      admit();
    });

  const alone = async <T>(signal: AbortSignal | undefined, work: () => Promise<T>) => {
    await turn(true, signal);
    try {
      return await work();
    } finally {
      writing = false;
      admit();
    }
  };

  return {
    get version() {
      if (isUncertain) version += 1;
      return version;
    },
    shared: async (signal, work) => {
      await turn(false, signal);
      try {
        return await work();
      } finally {
        readers -= 1;
        admit();
      }
    },
    alone,
    exclusive: (signal, work) =>
      alone(signal, async () => {
        version += 1;
        try {
          return await work();
        } catch (error) {
          isUncertain = true;
          throw error;
        }
      }),
  };
}
