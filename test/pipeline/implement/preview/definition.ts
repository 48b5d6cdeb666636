import { PIPELINES, type PipelineDefinition } from "../../../../src/pipeline/runs/definition.ts";

const { implement } = PIPELINES;
const { review, testing, ...before } = implement.phases;
if (!review || !testing) throw new Error("an implementation is reviewed and tested");

/** An implementation with one more phase between review and test: a preview of the head, which may send the work back once. */
export const WITH_PREVIEW: PipelineDefinition = {
  ...implement,
  phases: {
    ...before,
    review: { ...review, next: "deployment" },
    deployment: {
      next: "testing",
      guards: ["pull_open", "work_pushed", "head_reviewed"],
      gates: { bounces_used: {} },
      bounces: [{ cause: "conflict", to: "implementation", most: 1 }],
    },
    testing,
  },
};
