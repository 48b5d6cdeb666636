import { expect, it } from "vitest";
import type { Input } from "../../../src/domain/inputs.ts";
import { decideDeployment } from "../../../src/pipeline/deploy/decide.ts";
import type { EnvironmentInput, EnvironmentView } from "../../../src/pipeline/deploy/view.ts";

it("PIPE-2: an input for another kind of subject fails, and is not taken for one that changes nothing", () => {
  const repository = { id: 11, owner: "acme", name: "shop", installationId: 5 };
  const input = {
    type: "issue.ended",
    subject: { kind: "environment", repository, environment: "staging" },
  } as Partial<Input>;
  expect(() => decideDeployment({} as EnvironmentView, input as EnvironmentInput)).toThrow(
    "The input issue.ended is not for a subject of the kind environment.",
  );
});
