import { describe, expect, it } from "vitest";
import { PROJECTS } from "../../../scripts/selection/projects.ts";
import { missedBy, readAll, SHORT } from "./selected-by.ts";

const projects = PROJECTS.filter(({ name }) => !SHORT.has(name));
await readAll(projects);

describe.each(projects)("TEST-3: $name", (project) => {
  it("selects the tests that each change breaks", async () => expect(await missedBy(project)).toEqual([]));
});
