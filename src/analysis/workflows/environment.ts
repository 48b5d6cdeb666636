import { type Environment, expressionsIn, type Yielded, yieldsOf } from "./expressions.ts";

/** So many values a workflow has at most. Names that refer to all the others, and those again, would multiply them. */
const MOST_YIELDS = 200;

/**
 * What `env` stands for inside a workflow, a job or a step that sets these names. Their values see only what is set further out:
 * `T: ${{ env.T }}` hands on the outer `T`, and names that are set side by side do not see each other.
 * @param own names with their values as written; a fixed text hides the outer name too
 */
export function environmentWithin(own: readonly (readonly [string, string])[], outer: Environment): Environment {
  if (own.length === 0) return outer;
  const all = new Map(outer);
  for (const [name, value] of own) all.set(name.toLowerCase(), yieldsOfText(value, outer));
  let left = MOST_YIELDS;
  const kept = new Map<string, readonly Yielded[]>();
  for (const [name, yields] of all) {
    if (left > 0 && yields.length > 0) kept.set(name, yields.slice(0, left));
    left -= yields.length;
  }
  return kept;
}

/** Each only once, and only what a rule asks about: some workflows name hundreds of settings and secrets in `env`. */
function yieldsOfText(value: string, environment: Environment): Yielded[] {
  const yields = expressionsIn(value).flatMap((expression) => yieldsOf(expression, environment));
  const asked = yields.filter(({ path: [context] }) => context === "github" || context === "inputs");
  return [...new Map(asked.map((one) => [`${one.whole} ${one.path.join("\n")}`, one])).values()];
}
