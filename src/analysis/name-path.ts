/** What a file system, a shell or a loader does not see at the end of a name. */
const UNSEEN_END = /[\p{Cc}\p{Cf}\p{Zs}\p{DI}.]+$/u;

/**
 * A path as far as its names tell what a file is: without the quotes in which Forge writes a path that is no UTF-8, and without spaces,
 * dots and invisible characters at its end. Never a path to open.
 */
export function namePath(path: string): string {
  const inner = path.length > 1 && path.startsWith('"') && path.endsWith('"') ? path.slice(1, -1) : path;
  const unpadded = withoutEscapes(inner);
  return unpadded.slice(-MOST_READ).replace(UNSEEN_END, "") === ""
    ? unpadded
    : unpadded.slice(0, -MOST_READ) + unpadded.slice(-MOST_READ).replace(UNSEEN_END, "");
}

/** The end of a name is looked for among so many characters: a path may have 4,096, all of them spaces. */
const MOST_READ = 300;

/** Without the escapes of bytes at its end, such as `\302\240`. */
function withoutEscapes(path: string): string {
  let end = path.length;
  while (ESCAPED_BYTE.test(path.slice(Math.max(0, end - ESCAPE_LENGTH), end))) end -= ESCAPE_LENGTH;
  return path.slice(0, end);
}

const ESCAPED_BYTE = /^\\[0-3][0-7]{2}$/;
const ESCAPE_LENGTH = String.raw`\302`.length;
