import type { Project } from "./project.ts";
import { goShop, rustShop } from "./projects/compiled.ts";
import { nodeData, nodeFolders, nodeProgram } from "./projects/node-data.ts";
import { jestLibrary, mochaParser, vitestSite } from "./projects/node-runners.ts";
import { nodeAliases, nodeViews, nodeWorkspace } from "./projects/node-views.ts";
import { pythonShop, pythonSource } from "./projects/python.ts";

export const PROJECTS: readonly Project[] = [
  ...[nodeData, nodeProgram, nodeFolders, nodeViews, nodeAliases, nodeWorkspace],
  ...[vitestSite, jestLibrary, mochaParser],
  ...[pythonShop, pythonSource, goShop, rustShop],
];
