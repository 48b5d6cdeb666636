import type { Project } from "./project.ts";
import { goShop, rustShop } from "./projects/compiled.ts";
import { nodeChildren, nodeStore } from "./projects/node-children.ts";
import { nodeData, nodeFolders, nodeProgram } from "./projects/node-data.ts";
import { vitestFolders, vitestPages, vitestTold } from "./projects/node-implicit.ts";
import { avaWords, mochaPages } from "./projects/node-pages.ts";
import { jestLibrary, mochaParser, vitestNamed, vitestSite } from "./projects/node-runners.ts";
import { nodeCases, nodeSettings } from "./projects/node-settings.ts";
import { nodeAliases, nodeViews, nodeWorkspace } from "./projects/node-views.ts";
import { pythonShop, pythonSource } from "./projects/python.ts";
import { pythonHouse } from "./projects/python-house.ts";

export const PROJECTS: readonly Project[] = [
  ...[nodeData, nodeProgram, nodeFolders, nodeViews, nodeAliases, nodeWorkspace],
  ...[nodeChildren, nodeStore, nodeCases, nodeSettings],
  ...[vitestSite, vitestNamed, vitestFolders, vitestTold, vitestPages],
  ...[jestLibrary, mochaParser, mochaPages, avaWords],
  ...[pythonShop, pythonSource, pythonHouse, goShop, rustShop],
];
