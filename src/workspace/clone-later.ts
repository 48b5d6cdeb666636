import type { Clone } from "./clone.ts";

/** A clone that is made when it is first used, and once: writing a repository out takes time that most work does not need. */
export function cloneLater(open: () => Promise<Clone>): Clone {
  let opened: Promise<Clone> | undefined;
  const clone = () => {
    opened ??= open();
    return opened;
  };
  return {
    files: {
      read: async (...given) => (await clone()).files.read(...given),
      readMany: async (...given) => (await clone()).files.readMany(...given),
      list: async (...given) => (await clone()).files.list(...given),
      search: async (...given) => (await clone()).files.search(...given),
      change: async (...given) => (await clone()).files.change(...given),
    },
    run: async (spec) => (await clone()).run(spec),
  };
}
