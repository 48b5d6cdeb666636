import type { Implementation } from "../implementation.ts";
import type { WorkJob, WorkPowers } from "./work-job.ts";

export async function testPull(_powers: WorkPowers, _job: WorkJob, _run: Implementation): Promise<void> {}
