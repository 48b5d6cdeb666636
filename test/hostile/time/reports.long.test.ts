import { describe } from "vitest";
import { tryReports } from "./read-reports.ts";

describe("a report of twelve megabytes (REV-5, SEC-1)", () => {
  tryReports([["12 MB of empty objects", "sarif", `{"version":"2.1.0","runs":[${"{},".repeat(4_000_000)}{}]}`]]);
});
