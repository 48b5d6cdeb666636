/**
 * Reads a text once where it is asked for several times in a row: the packages of a lock file, and whether it is in step, are two questions.
 * Holds the last text and its reading, so what is read has to stay as it is.
 */
export function rememberLast<Reading>(read: (text: string) => Reading): (text: string) => Reading {
  let last: { readonly text: string; readonly reading: Reading } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, reading: read(text) };
    return last.reading;
  };
}
