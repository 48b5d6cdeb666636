import { defined } from "../../src/domain/defined.ts";

/** What a program of Forge that a test starts is given of this environment, besides what the test is about. */
export const STARTED: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? "",
  ...defined({ NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
