/** One exact replacement in a file. */
interface Edit {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
}

const SAYS = 'or "12.50". Throws a RangeError for anything else. */';
const SAYS_SUMS = '"12.50", or a sum such as "2.40+1.80". Throws a RangeError for anything else. */';
const TOP = 'test("what is not an amount is refused with how it is written", () => {\n';

/** The first attempt: it adds, and runs what it is given as code. */
const RUN_AS_CODE = '  if (text.includes("+")) return Math.round(eval(text) * 100);\n';

export const ADD_BY_RUNNING: readonly Edit[] = [
  { path: "src/amount.js", old_text: SAYS, new_text: SAYS_SUMS },
  {
    path: "src/amount.js",
    old_text: "export function parseAmount(text) {\n",
    new_text: `export function parseAmount(text) {\n${RUN_AS_CODE}`,
  },
  {
    path: "test/amount.test.js",
    old_text: TOP,
    new_text: `test("a sum is added up", () => {
  assert.equal(parseAmount("2.40+1.80+12"), 1620);
  assert.equal(parseAmount("0.10 + 0.20"), 30);
});

${TOP}`,
  },
];

const SPLIT = '  return text.split("+").reduce((sum, part) => sum + parseOne(part), 0);\n';

/** The second one: each part is read as an amount. */
export const ADD_BY_READING: readonly Edit[] = [
  { path: "src/amount.js", old_text: RUN_AS_CODE, new_text: `${SPLIT}}\n\nfunction parseOne(text) {\n` },
  {
    path: "test/amount.test.js",
    old_text: TOP,
    new_text: `test("the parts of a sum are amounts, and nothing of it is run", () => {
  for (const [text, part] of [["2.40+", ""], ["1+(2)", "(2)"], ["1+globalThis.process.exit(1)", "globalThis.process.exit(1)"]]) {
    assert.throws(() => parseAmount(text), {
      name: "RangeError",
      message: \`"\${part}" is not an amount: write it as 12 or 12.50\`,
    });
  }
});

${TOP}`,
  },
];

/** What a person asks for on the line that adds. */
export const HOLD_TO_THE_LIMIT: readonly Edit[] = [
  {
    path: "src/amount.js",
    old_text: SPLIT,
    new_text: `${SPLIT.replace("return", "const cents =")}  if (cents > MOST_CENTS) throw new RangeError(\`"\${text}" is more than \${formatAmount(MOST_CENTS)}\`);
  return cents;
`,
  },
  {
    path: "src/amount.js",
    old_text: "const AMOUNT =",
    new_text: "/** What a line of the file holds at most. */\nconst MOST_CENTS = 999_999_999;\nconst AMOUNT =",
  },
  {
    path: "test/amount.test.js",
    old_text: TOP,
    new_text: `test("a sum is at most what a line of the file holds", () => {
  assert.equal(parseAmount("9999999+0.99"), 999_999_999);
  assert.throws(() => parseAmount("9999999+1"), {
    name: "RangeError",
    message: '"9999999+1" is more than 9999999.99',
  });
});

${TOP}`,
  },
];

export const DESCRIBE: readonly Edit[] = [
  {
    path: "README.md",
    old_text: "An amount is written as `12`, `12.5` or `12.50`, at most 9999999.99.",
    new_text:
      "An amount is written as `12`, `12.5` or `12.50`, at most 9999999.99, or as a sum of such: `tally add ana 2.40+1.80+12 market`.",
  },
  {
    path: "src/commands/help.js",
    old_text: '"An amount is written as 12, 12.5 or 12.50.",',
    new_text: '"An amount is written as 12, 12.5 or 12.50, or as a sum: 2.40+1.80.",',
  },
];

/** The line that mia comments on. */
export const SUM_LINE = SPLIT.trim();
