import { expect, it } from "vitest";
import { findEnvironmentFault } from "../../../src/analysis/tests/environment-fault.ts";

const facts = {
  packages: new Set(["left-pad", "@acme/ui"]),
  paths: new Set(["shop/cart.py", "src/tools/x.py", "helper.py"]),
};

it.each<[string, string, string]>([
  ["Error: Cannot find module 'left-pad/lib'", "packages", "left-pad"],
  ["Cannot find package '@acme/ui' imported from /box/a.js", "packages", "@acme/ui"],
  ["ModuleNotFoundError: No module named 'requests.auth'", "packages", "requests"],
  ["/usr/bin/python3: No module named pytest", "packages", "pytest"],
  ["a.go:3:2: no required module provides package github.com/a/b; to add it:", "packages", "github.com/a/b"],
  ["error: no matching package named `serde` found", "packages", "serde"],
  ["Error: spawnSync psql ENOENT", "program", "psql"],
  ["prlimit: failed to execute cargo: No such file or directory", "program", "cargo"],
  ["sh: 1: make: not found", "program", "make"],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'git'", "program", "git"],
  ["browserType.launch: Executable doesn't exist at /root/.cache/chrome", "program", "browser"],
  ["Error: getaddrinfo EAI_AGAIN registry.example", "network", "network"],
  ["dial tcp: lookup example.com: no such host", "network", "network"],
  ["connect ECONNREFUSED 127.0.0.1:6379", "service", "6379"],
  ['could not connect to server "localhost", port 5432 failed: Connection refused', "service", "5432"],
  ["OSError: [Errno 28] No space left on device", "disk", "disk"],
  ["Error: EROFS: read-only file system, open '/usr/x'", "write", "outside"],
  ["EACCES: permission denied, mkdir '/var/log/x'", "write", "outside"],
  ["FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", "memory", "memory"],
  ["RuntimeError: can't start new thread", "processes", "processes"],
])("TEST-1: %s is the place's fault", (message, kind, named) => {
  expect(findEnvironmentFault(message, facts)).toEqual({ kind, cause: expect.stringContaining(named) });
});

it.each([
  "expected 3 to be 4",
  "Error: Cannot find module './cart.ts'",
  "Error: Cannot find package 'never-named' imported from /box/a.js",
  "ModuleNotFoundError: No module named 'shop.gone'",
  "ModuleNotFoundError: No module named 'helper'",
  "ENOENT: no such file or directory, open '/box/data.json'",
  "connect ECONNREFUSED 127.0.0.1:38211",
  "EACCES: permission denied, open '/box/locked'",
  "TypeError: fetch is not a function",
  "timeout of 2000ms exceeded",
])("TEST-1: %s is not", (message) => {
  expect(findEnvironmentFault(message, facts)).toBeUndefined();
});
