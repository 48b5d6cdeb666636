import { expect, it } from "vitest";
import { stepsOf } from "./steps-of.ts";

const ROOT = `[project]
name = "shop"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = ["httpx>=0.27,<1", "own", "Typing_Extensions ; python_version < '3.13'"]

[project.optional-dependencies]
more = ["rich[jupyter] >= 13"]

[dependency-groups]
test = ["pytest~=8.0"]
dev = [{ include-group = "test" }, "ruff"]

[tool.uv.sources]
own = { workspace = true }

[tool.uv.workspace]
members = ["packages/*"]
`;
const OWN = `[project]
name = "own"
version = "0.1.0"
dependencies = ["idna==3.7"]
`;
/** In the published form of the format. */
const LOCK = `version = 1
revision = 3
requires-python = ">=3.11"

[manifest]
members = ["own", "shop"]

[[package]]
name = "own"
version = "0.1.0"
source = { editable = "packages/own" }
dependencies = [{ name = "idna" }]

[package.metadata]
requires-dist = [{ name = "idna", specifier = "==3.7" }]

[[package]]
name = "shop"
version = "0.1.0"
source = { virtual = "." }
dependencies = [{ name = "httpx" }, { name = "own" }]

[package.metadata]
requires-dist = [
    { name = "httpx", specifier = ">=0.27,<1" },
    { name = "own", editable = "packages/own" },
    { name = "rich", extras = ["jupyter"], marker = "extra == 'more'", specifier = ">=13" },
    { name = "typing-extensions", marker = "python_full_version < '3.13'" },
]
provides-extras = ["more"]

[package.metadata.requires-dev]
dev = [{ name = "pytest", specifier = "~=8.0" }, { name = "ruff" }]
test = [{ name = "pytest", specifier = "~=8.0" }]
`;

it("REV-8: uv.lock is in step where it repeats the requirements of each project of the workspace", () => {
  const drifts = (manifest: string, folder = "") => stepsOf(manifest, "uv.lock", LOCK, { folder }).drifts;
  expect(drifts(ROOT)).toEqual([]);
  expect(drifts(OWN, "packages/own")).toEqual([]);
  const changed = (before: string, after: string) => drifts(ROOT.replace(before, after));
  expect(changed("httpx>=0.27,<1", "httpx < 1, >= 0.27")).toEqual([]);
  expect(changed("httpx>=0.27,<1", "httpx>=0.28")).toEqual([{ name: "httpx", wanted: ">=0.28", locked: "<1,>=0.27" }]);
  expect(changed('"own",', '"own", "certifi",')).toEqual([{ name: "certifi", wanted: "any version" }]);
  expect(changed('"httpx>=0.27,<1", ', "")).toEqual([{ name: "httpx", locked: "<1,>=0.27" }]);
  expect(changed('"pytest~=8.0"', '"pytest~=8.1"').map(({ name }) => name)).toEqual(["pytest", "pytest"]);
  expect(changed('"rich[jupyter] >= 13"', '"rich>=14"')).toEqual([{ name: "rich", wanted: ">=14", locked: ">=13" }]);
  expect(drifts(OWN.replace("3.7", "3.8"), "packages/own")).toEqual([
    { name: "idna", wanted: "==3.8", locked: "==3.7" },
  ]);
});

it("REV-8: uv.lock is not judged where the project computes its requirements, and says nothing of another project", () => {
  const dynamic = ROOT.replace('version = "0.1.0"', 'dynamic = ["dependencies"]');
  expect(stepsOf(dynamic, "uv.lock", LOCK)).toEqual({ drifts: [], isUnjudged: true });
  expect(stepsOf(OWN, "uv.lock", LOCK, { folder: "examples/x" })).toEqual({ drifts: [] });
});
