/** What an agent has seen of the files it may change: an edit of something that was not read is a guess. */
export interface ReadLog {
  note(path: string, content: Buffer): void;
  /** What the agent knows a file to hold; undefined when it has not read it. */
  known(path: string): Buffer | undefined;
  forget(path: string): void;
}

/** Lasts as long as the run in this process: after a restart files are read again before they are edited. */
export function createReadLog(): ReadLog {
  const contents = new Map<string, Buffer>();
  return {
    note: (path, content) => {
      contents.set(path, content);
    },
    known: (path) => contents.get(path),
    forget: (path) => {
      contents.delete(path);
    },
  };
}
