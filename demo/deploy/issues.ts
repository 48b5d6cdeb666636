/** What ben wishes for; the project that it is about is fixtures/projects/postage. */
export const WISH = {
  title: "Give each price a number for the display",
  body: [
    "At the counter nobody knows whose price is on the display. A number of two digits with each price would do: we call it out.",
    "",
    "The display has room for two digits, and two customers must not have the same number at a time.",
  ].join("\n"),
} as const;

/** What the change that it leads to says where many customers ask: `fixtures/projects/postage/NOTE.md` has why. */
export const ERROR = "no number is free";
