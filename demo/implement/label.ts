import type { Stage } from "../stage.ts";
import { until } from "../until.ts";
import { LABEL } from "./issue.ts";

const LIMIT_MS = 60_000;

/** Forge creates its labels when it is installed; before that there is none to choose. */
export async function labelIsThere({ github, signal, forge }: Stage, repository: string): Promise<void> {
  const look = () =>
    github.requests.some(({ operation, path, status, body }) => {
      const name = (body as { readonly name?: string } | undefined)?.name;
      return (
        operation === "issues/create-label" && path.includes(`/${repository}/`) && status === 201 && name === LABEL
      );
    });
  await until(`Forge has created the label ${LABEL}`, look, { signal, limitMs: LIMIT_MS, unless: forge.died });
}
