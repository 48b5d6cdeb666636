import { parentPort, workerData } from "node:worker_threads";
import { type PlanRequest, packagePlans, planWithNpm } from "./package-plan.ts";

/* The thread in which manifests and lock files are read: their author chooses how long that takes. */

const { texts, day, registries, without } = workerData as PlanRequest;
parentPort?.postMessage(
  without === undefined ? packagePlans(texts, day, registries) : [planWithNpm(texts, day, without)],
);
