import { expressionsIn, yieldsOf } from "./expressions.ts";
import { type Values, withValues, type Yielded } from "./values.ts";

/**
 * What is known inside a workflow, a job or a step that sets these names in `env`. Their values see only what is set further out:
 * `T: ${{ env.T }}` hands on the outer `T`, and names that are set side by side do not see each other.
 * @param own names with their values as written; a fixed text hides the outer name too
 */
export function environmentWithin(own: readonly (readonly [string, string])[], outer: Values): Values {
  return withValues(
    outer,
    own.map(([name, value]) => [["env", name], yieldsOfText(value, outer)]),
  );
}

/** Each only once, and only what a rule asks about: some workflows name hundreds of settings and secrets in `env`. */
export function yieldsOfText(value: string, values: Values): Yielded[] {
  const yields = expressionsIn(value).flatMap((expression) => yieldsOf(expression, values));
  const asked = yields.filter(({ path: [context] }) => context === "github" || context === "inputs");
  return [...new Map(asked.map((one) => [`${one.whole} ${one.path.join("\n")}`, one])).values()];
}
