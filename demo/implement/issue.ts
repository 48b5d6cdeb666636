/** What ben wishes for; the project that it is about is fixtures/projects/tally. */
export const ISSUE = {
  title: "Let an amount be a sum",
  body: [
    "When I come home from the market I have three receipts: 2.40, 1.80 and 12. I add them in my head and get it wrong.",
    "",
    "`tally add ana 2.40+1.80+12 market` should just work. The same in the CSV files that we import from each other.",
  ].join("\n"),
} as const;

/** Where an issue is on GitHub. */
export interface IssueAt {
  readonly repository: string;
  readonly number: number;
}

export const LABEL = "forge:implement";

/** What mia sees when she reads the change: a sum can be larger than any amount was before. */
export const REQUEST =
  "A line of the file holds nine digits of cents (`src/line.js`). `9999999+1` writes a longer one, and from then on the whole file cannot be read. Refuse such a sum, please, with a sentence that says the limit.";
