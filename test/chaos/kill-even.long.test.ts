import { testKillsOfWrites } from "./kill-writes.ts";

testKillsOfWrites([0, 2]);
