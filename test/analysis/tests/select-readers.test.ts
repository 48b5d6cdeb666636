import { describe, expect, it } from "vitest";
import { PROJECTS } from "../../../scripts/selection/projects.ts";
import { missedBy, readAll, SHORT } from "./selected-by.ts";

const projects = PROJECTS.filter(({ name }) => SHORT.has(name));
await readAll(projects);

// R11 and R12 are among them: an alias, data that is read, a program that a test starts.
// `npm run measure:selection` runs all projects and checks `breaks`.
describe.each(projects)("TEST-3: $name", (project) => {
  it("selects the tests that each change breaks", async () => expect(await missedBy(project)).toEqual([]));
});
