import { takeTurns } from "../workspace/files/turns.ts";
import type { SourceFile } from "./source-file.ts";

/** Some 10 ms of looking through a text with a few patterns. */
const TURN = { most: 100, unitsOfStep: 10_000 };

/**
 * What is made of each file, in order, while others have their turn: a change may have thousands of files, or a hundred of a megabyte.
 * @param make gets the file and its place in the list
 */
export async function eachInTurn<T>(
  files: readonly SourceFile[],
  make: (file: SourceFile, id: number) => T,
): Promise<T[]> {
  const turn = takeTurns(TURN);
  const made: T[] = [];
  for (const [id, file] of files.entries()) {
    made.push(make(file, id));
    await turn(file.text.length);
  }
  return made;
}
