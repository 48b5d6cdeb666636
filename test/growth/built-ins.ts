type Call = (this: unknown, ...values: unknown[]) => unknown;
/** What a call of a built-in looks at, in characters, bytes or entries. */
type Cost = (self: unknown, values: readonly unknown[], result: unknown) => number;
type Measured = readonly [holder: object, names: readonly string[], cost: Cost];

function lengthOf(value: unknown): number {
  const { length } = Object(value) as { length?: unknown };
  return typeof length === "number" ? length : 0;
}

const one: Cost = () => 1;
const whole: Cost = (self) => 1 + lengthOf(self);
const ofResult: Cost = (_, __, result) => 1 + lengthOf(result);
const both: Cost = (self, _, result) => 1 + lengthOf(self) + lengthOf(result);
const trimmed: Cost = (self, _, result) => 1 + lengthOf(self) - lengthOf(result);
/** From where a search begins to what it finds, or to the end. */
const searched: Cost = (self, values, result) => {
  const begin = typeof values[1] === "number" && values[1] > 0 ? values[1] : 0;
  const isFound = typeof result === "number" && result >= 0;
  return 1 + Math.max(0, (isFound ? result : lengthOf(self)) - begin);
};
const searchedBack: Cost = (self, values, result) => {
  const begin = typeof values[1] === "number" ? values[1] : Number.POSITIVE_INFINITY;
  return 1 + Math.max(0, Math.min(lengthOf(self), begin) - Math.max(0, result as number));
};
const filled: Cost = (self, values) => {
  const [from, to] = [values[1] ?? 0, values[2] ?? lengthOf(self)] as [number, number];
  return 1 + Math.max(0, to - from);
};

const iteratorOf = (kind: Iterable<unknown>) => Object.getPrototypeOf(kind[Symbol.iterator]()) as object;
const ANY_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;

/** Built-ins that take more than one step, which V8's counts of blocks do not show. A slice of a text is a view of it. */
const MEASURED: readonly Measured[] = [
  [String.prototype, ["indexOf", "includes"], searched],
  [String.prototype, ["lastIndexOf"], searchedBack],
  [String.prototype, ["startsWith", "endsWith"], (_, values) => 1 + lengthOf(values[0])],
  [String.prototype, ["split", "toLowerCase", "toUpperCase", "normalize", "isWellFormed", "toWellFormed"], whole],
  [String.prototype, ["localeCompare"], whole],
  [String.prototype, ["repeat", "padStart", "padEnd"], ofResult],
  [String.prototype, ["trim", "trimStart", "trimEnd"], trimmed],
  [String.prototype, ["slice", "substring"], one],
  [String.prototype, ["replace", "replaceAll"], (self, values) => (typeof values[0] === "string" ? lengthOf(self) : 1)],
  [Array.prototype, ["indexOf", "includes"], searched],
  [Array.prototype, ["lastIndexOf"], searchedBack],
  [Array.prototype, ["join", "map", "filter", "forEach", "flatMap", "reduce", "reverse", "sort", "splice"], whole],
  [Array.prototype, ["unshift", "toReversed", "toSorted", "toSpliced", "with"], whole],
  [Array.prototype, ["concat", "flat"], both],
  [Array.prototype, ["slice"], ofResult],
  [ANY_ARRAY, ["indexOf", "includes"], searched],
  [ANY_ARRAY, ["fill"], filled],
  [ANY_ARRAY, ["set"], (_, values) => 1 + lengthOf(values[0])],
  [ANY_ARRAY, ["slice"], ofResult],
  [Buffer.prototype, ["indexOf", "includes"], searched],
  [Buffer.prototype, ["toString"], ofResult],
  [Buffer, ["concat", "from"], ofResult],
  [TextDecoder.prototype, ["decode"], ofResult],
  [JSON, ["parse"], (_, values) => lengthOf(values[0])],
  [JSON, ["stringify"], ofResult],
  [Object, ["keys", "values", "entries"], ofResult],
  ...[[], "", new Map(), new Set()].map((kind): Measured => [iteratorOf(kind), ["next"], one]),
];

/**
 * Counts what built-ins look at during work: characters, bytes and entries. Of a regular expression it counts what it has
 * to look at, from where it begins to the end of its match; how often it goes back is for recheck. Nothing else may run meanwhile.
 */
export async function countBuiltIns(work: () => unknown): Promise<number> {
  let count = 0;
  let isCounting = false;
  const add = (cost: () => number) => {
    // What a cost is made of would be counted as well.
    if (isCounting) return;
    isCounting = true;
    count += cost();
    isCounting = false;
  };
  const restore = [
    replace(RegExp.prototype, "exec", (exec) => countingExec(exec, add)),
    ...MEASURED.flatMap(([holder, names, cost]) =>
      names.map((name) =>
        replace(holder, name, (original) => {
          return function (this: unknown, ...values) {
            const result = Reflect.apply(original, this, values);
            add(() => cost(this, values, result));
            return result;
          };
        }),
      ),
    ),
  ];
  try {
    await work();
  } finally {
    for (const each of restore.reverse()) each();
  }
  return count;
}

function countingExec(exec: Call, add: (cost: () => number) => void): Call {
  return function (this: unknown, ...values) {
    const pattern = this as RegExp;
    const begin = pattern.global || pattern.sticky ? pattern.lastIndex : 0;
    const match = Reflect.apply(exec, pattern, values) as RegExpExecArray | null;
    add(() => {
      const end = match === null ? (pattern.sticky ? begin : lengthOf(values[0])) : match.index + match[0].length;
      return 1 + Math.max(0, end - begin);
    });
    return match;
  };
}

function replace(holder: object, name: string, make: (original: Call) => Call): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  if (before === undefined) throw new Error(`There is no built-in ${name}`);
  Object.defineProperty(holder, name, { ...before, value: make(before.value as Call) });
  return () => Object.defineProperty(holder, name, before);
}
