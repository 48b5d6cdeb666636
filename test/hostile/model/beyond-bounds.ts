import type { Asked } from "../../../simulator/models/scripted-model.ts";
import fc from "../../properties.ts";

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

export interface Call {
  readonly name: string;
  readonly input: unknown;
}

const TEXTS = [
  ...[
    "",
    " ",
    "\0",
    "../../../../etc/passwd",
    "/etc/passwd",
    ".git/config",
    "src/../../x",
    "-rf",
    "--output=/tmp/struck",
    "$(touch struck)",
  ],
  ...[
    "file:///etc/passwd",
    "https://127.0.0.1:1/",
    "~/.ssh/id_rsa",
    "C:\\x",
    "a\nb",
    "\u202e",
    "*".repeat(2_000),
    "(a+)+".repeat(40),
    "{a,b}".repeat(30),
  ],
];
const NUMBERS = [-1, 0, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 31];
const OTHERS: readonly unknown[] = [null, true, [], {}, [[[]]], "1", { length: 1e9 }, ["../../x"]];

/** Values that a schema does not want, or only just wants. */
function beyond({ type, properties, items, minimum, maximum, maxLength }: Schema): fc.Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>(...OTHERS, ...TEXTS, ...NUMBERS);
  if (type === "string") {
    const long = fc.constant("x".repeat(Math.min((maxLength ?? 50_000) + 1, 200_000)));
    return fc.oneof(fc.constantFrom<unknown>(...TEXTS), long, wrong);
  }
  if (type === "number" || type === "integer") {
    const edges = [...(minimum === undefined ? [] : [minimum - 1]), ...(maximum === undefined ? [] : [maximum + 1])];
    return fc.oneof(fc.constantFrom<unknown>(...NUMBERS, ...edges), wrong);
  }
  if (type === "array") return fc.oneof(fc.array(beyond(items ?? {}), { maxLength: 50 }), wrong);
  if (properties)
    return fc.record(Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, beyond(each)])), {
      requiredKeys: [],
    });
  return wrong;
}

/** Each tool that the model was handed, called so many times with what it does not take; the same ones for the same seed. */
export function callsBeyondBounds({ tools = [] }: Asked, seed: number, times: number): Call[] {
  return tools
    .filter(({ function: { name } }) => name !== "complete")
    .flatMap(({ function: { name, parameters } }) =>
      fc.sample(beyond((parameters ?? {}) as Schema), { seed, numRuns: times }).map((input) => ({ name, input })),
    );
}
