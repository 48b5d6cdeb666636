import { sql } from "drizzle-orm";

/** Characters of a title that are read: one may be as long as GitHub lets it be. */
const CHARACTERS = 200;

const TASK = sql`json_extract(begun.payload, '$.task')`;
const COLON = sql`instr(${TASK}, ': ')`;

/** Of the first event of a run, `begun`: what it is about in the words of people. In its task that follows the first colon, where it has one. */
export const TITLE = sql`coalesce(json_extract(begun.payload, '$.issue.title'), substr(${TASK}, ${COLON} + iif(${COLON} > 0, 2, 0)))`;

export const CUT_TITLE = sql`substr(${TITLE}, 1, ${CHARACTERS})`;
