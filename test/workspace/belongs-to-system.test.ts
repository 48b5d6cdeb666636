import { describe, expect, it } from "vitest";
import { belongsToSystem } from "../../src/workspace/sandbox/plan-box.ts";

// The rule alone: a test that hands such a folder to the sandbox would cost root its machine on the day the rule breaks.
describe("folders that are never made writable", () => {
  it("SEC-1: are those of the system, what lies in them and what holds them", () => {
    for (const folder of [
      "/",
      "/etc",
      "/etc/ssl",
      "/usr",
      "/usr/src/app",
      "/dev",
      "/dev/shm",
      "/opt",
      "/proc/1/root",
    ]) {
      expect([folder, belongsToSystem(folder)]).toEqual([folder, true]);
    }
  });

  it("are no folders of data, whatever their names begin with", () => {
    for (const folder of [
      "/var/lib/forge/clone",
      "/home/forge/clone",
      "/etcetera",
      "/opt/data",
      "/usrdata",
      "/dev/shm/clone",
    ]) {
      expect([folder, belongsToSystem(folder)]).toEqual([folder, false]);
    }
  });
});
