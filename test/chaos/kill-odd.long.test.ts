import { testKillsOfWrites } from "./kill-writes.ts";

testKillsOfWrites([1, 3]);
