import fc from "../../properties.ts";

interface Told {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const wrong = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    2 ** 53,
    "",
    "x".repeat(100_000),
    [],
    {},
    [null],
    { login: null },
    "\0",
    "\ud800",
  ),
  fc.constantFrom<unknown>(
    "../../etc/passwd",
    "--upload-pack=x",
    "main; id",
    "$(id)",
    "refs/heads/../../x",
    "__proto__",
    "9".repeat(400),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Where there is a value in it, as a list of keys. */
function placesIn(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [place];
  const inside = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...place, key]));
  return place.length === 0 ? inside : [place, ...inside];
}

function changed(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  // An earlier change may have put something else there.
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === key ? changed(each, rest, to) : each));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: changed(record[key], rest, to) };
}

/** What GitHub told, with some values replaced: most of it is as it should be, so that it is read far in. */
export function chanceBodies(told: readonly Told[], seed: number, count: number): { event: string; body: string }[] {
  const body = fc.constantFrom(...told).chain(({ event, payload }) => {
    const places = placesIn(payload);
    const change = fc.tuple(fc.constantFrom(...places), wrong);
    return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => ({
      event,
      body: JSON.stringify(changes.reduce<unknown>((all, [place, to]) => changed(all, place, to), payload)),
    }));
  });
  return fc.sample(body, { seed, numRuns: count });
}
