import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allOf, environmentOf, readContainerfile } from "./containerfile.ts";

const stages = readContainerfile("deploy/Containerfile");
const [build, image] = [stages[0]!, stages.at(-1)!];
const { files, engines } = JSON.parse(readFileSync("package.json", "utf8"));
const tracked = execFileSync("git", ["ls-files"], { encoding: "utf8" }).split("\n");
const holds = (path: string) => tracked.some((file) => file === path || file.startsWith(`${path}/`));

it("OPS-6: the image copies what is there, all that the package is made of, and no folder as a whole", () => {
  const sources = allOf(build, "COPY").flatMap((text) => text.split(" ").slice(0, -1));
  for (const source of sources) expect(holds(source), source).toBe(true);
  const made = ["dist"];
  for (const file of files.filter((name: string) => !made.includes(name))) expect(sources).toContain(file);
  for (const needed of ["src", "tsconfig.package.json", "package-lock.json"]) expect(sources).toContain(needed);
  expect(allOf(image, "COPY")).toEqual(["--from=build /opt/forge /opt/forge"]);
});

it("OPS-6: the image is an ordinary user's, brings the sandbox, and says whether it is healthy", () => {
  expect(allOf(image, "USER").at(-1)).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
  const installed = allOf(image, "RUN").join(" ");
  for (const program of ["bubblewrap", "util-linux", "bash", "git", "ca-certificates", "tini"]) {
    expect(installed).toContain(` ${program} `);
  }
  expect(allOf(image, "VOLUME")).toEqual([environmentOf(image).FORGE_DATA]);
  expect(allOf(image, "EXPOSE")).toEqual([environmentOf(image).PORT]);
  expect(allOf(image, "HEALTHCHECK")).toHaveLength(1);
  for (const word of ["ENTRYPOINT", "CMD"]) expect(JSON.parse(allOf(image, word)[0]!)).toBeInstanceOf(Array);
});

it("both stages begin with the Node that Forge runs on", () => {
  const own = Number(process.versions.node.split(".")[0]);
  expect(engines.node).toBe(">=20");
  for (const { from } of stages) expect(from).toMatch(new RegExp(`/node:${own}-`));
});
