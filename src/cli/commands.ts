import type { CommandText, OptionText } from "./command-text.ts";
import { RUN_OPTIONS } from "./run/run-options.ts";

const JSON_OPTION: OptionText = { option: "--json", does: "print JSON" };
const BASE: OptionText = {
  option: "--base <ref>",
  does: "compare with this commit; by default with the branch that the checkout came from",
};

/** Every command of `forge`. This file loads nothing else of Forge, so the help is quick. */
export const COMMANDS = [
  {
    name: "review",
    group: "here",
    usage: ["review <folder>", "review <owner>/<repo>#<n>", "review <URL of a pull request>"],
    does: "review a folder or a pull request; writes nothing to GitHub",
    options: [
      BASE,
      { option: "--all", does: "every file, not only the changed ones" },
      { option: "--format <name>", does: "text, json or sarif" },
      { option: "--info", does: "show the findings of severity info, which are counted otherwise" },
      { option: "--max <n>", does: "at most this many findings (1000); the output says how many were left out" },
      { option: "--ai", does: "models that are set up in the environment read the change too" },
      { option: "--report <file>", does: "with --ai: write each step of the models to this file" },
    ],
    notes: [
      "A review of a pull request needs a token in GITHUB_TOKEN or GH_TOKEN that can read contents and pull requests. For GitHub Enterprise, set GHE_HOST too.",
      "Exit codes: 0 approved, 1 changes requested, 2 needs a person, 3 not fully reviewed, 64 wrong usage.",
    ],
  },
  {
    name: "test",
    group: "here",
    usage: ["test <folder>"],
    does: "run the tests that a change affects, in the sandbox",
    options: [
      BASE,
      { option: "--all", does: "every test, without a comparison" },
      { option: "--format <name>", does: "text or json" },
      { option: "--minutes <n>", does: "time limit; by default safety.time.testing of the folder's configuration" },
    ],
    notes: [
      "The tests run on a copy of the folder. Forge repeats a failed test and compares it with the base.",
      "Exit codes: 0 passed or nothing to run, 1 failed, 3 could not run, 64 wrong usage.",
    ],
  },
  {
    name: "run",
    group: "here",
    usage: ['run "<task>"', "run --issue <file>", "run --resume <run|last>"],
    does: "plan, write, review and test a task, and leave a branch",
    options: RUN_OPTIONS,
    notes: [
      "The branch is forge/<number>-<title>. Your files, your index and your uncommitted changes stay as they are. The run starts at the commit that is checked out.",
      "Models come from the environment: ANTHROPIC_API_KEY or OPENAI_API_KEY, or ANTHROPIC_BASE_URL or OPENAI_BASE_URL for another endpoint with the same interface, and FORGE_MODEL (see .env.example).",
      "Forge asks about plans and other gates on the terminal. Without a terminal and without --yes, the run waits: it exits with code 2 and prints the command that continues it. Ctrl-C stops after the current step and keeps everything; a second Ctrl-C stops at once.",
      "Exit codes: 0 done, 1 failed or stopped, 2 waits for a person, 64 wrong usage, 130 interrupted.",
    ],
  },
  {
    name: "ask",
    group: "here",
    usage: ['ask "<question>"'],
    does: "answer a question about the code, with path:line",
    options: [
      { option: "--repo <folder>", does: "the folder that the question is about (.)" },
      {
        option: "--usd <n>",
        does: "limit of its cost in USD; by default safety.cost.review of the folder's configuration, but no more than 2",
      },
      { option: "--minutes <n>", does: "time limit; by default safety.time.review of that configuration" },
      JSON_OPTION,
    ],
    notes: [
      "A model that is set up in the environment reads the folder, uncommitted work included, and changes nothing. It sees no file that git ignores. Forge looks up each place that the answer names, and marks those that are not there.",
      "Models come from the environment: ANTHROPIC_API_KEY or OPENAI_API_KEY, or ANTHROPIC_BASE_URL or OPENAI_BASE_URL for another endpoint with the same interface (see .env.example).",
      "Exit codes: 0 answered, 1 not answered, 64 wrong usage.",
    ],
  },
  {
    name: "init",
    group: "here",
    usage: ["init [folder]"],
    does: "look at a repository and write its .github/forge.yml",
    options: [
      { option: "--print", does: "print the file, and write nothing" },
      { option: "--force", does: "replace the file that is there" },
    ],
    notes: [
      "The file goes into the root of the checkout. It sets what was found and what is changed most often; the rest are comments. Forge works without it.",
      "Exit codes: 0 written, 1 not written, for example because there is such a file, 64 wrong usage.",
    ],
  },
  {
    name: "doctor",
    group: "server",
    usage: ["doctor"],
    does: "check configuration, models, App, database, git and sandbox",
    options: [{ option: "--fix", does: "download a missing sandbox program" }],
    notes: ["Exit codes: 0 in order, 1 something is wrong."],
  },
  {
    name: "register",
    group: "server",
    usage: ["register --address <URL>"],
    does: "register the GitHub App from a machine without a browser",
    options: [
      { option: "--address <URL>", does: "address at which GitHub reaches Forge; by default FORGE_URL" },
      { option: "--organization <name>", does: "who owns the App; by default your own account" },
      { option: "--github <host>", does: "a GitHub Enterprise server or tenant; by default GHE_HOST, or github.com" },
      { option: "--for <use>", does: "review, implement (the default) or deploy: what the App may do" },
      { option: "--print-app", does: "print the secrets of the App, do not keep them in the data folder" },
    ],
    notes: [
      "Forge writes a page to open on another machine, and waits for the address to which GitHub then sends that browser. It asks for a model next.",
      "With a browser on this machine, forge start does the same by a page.",
      "Exit codes: 0 registered, 1 not registered, 64 wrong usage.",
    ],
  },
  {
    name: "start",
    group: "server",
    usage: ["start"],
    does: "receive webhooks and do the work",
    options: [
      { option: "--role <name>", does: "web or worker: one part alone, on a libSQL server; both by default" },
      {
        option: "--print-app",
        does: "when an App is registered: print its secrets, do not keep them in the data folder",
      },
      {
        option: "--restart-after-hang",
        does: "start Forge once more after a hang, as npm start does; for machines without a supervisor",
      },
    ],
    notes: [
      "If no App is set up, Forge prints a link to a page that registers one, and continues with it.",
      "Exit code 70: Forge hung and ended itself. The last line of the log says what was running.",
    ],
  },
  {
    name: "backup",
    group: "server",
    usage: ["backup <file>"],
    does: "copy the database to a new file, also while Forge runs",
    options: [],
    notes: [],
  },
  {
    name: "status",
    group: "look",
    usage: ["status"],
    does: "show what waits for a person, runs, failed and was delivered",
    options: [JSON_OPTION],
    notes: [],
  },
  {
    name: "history",
    group: "look",
    usage: ["history [<text>]"],
    does: "list the latest runs, newest first",
    options: [
      { option: "--kind <name>", does: "review, implement or deploy" },
      { option: "--status <name>", does: "pending, running, waiting, completed, failed or cancelled" },
      { option: "--limit <n>", does: "how many (20)" },
      JSON_OPTION,
    ],
    notes: [
      "The text is a number, an ID of a run or a finding, or a part of a title, a login or the name of a repository.",
    ],
  },
  {
    name: "show",
    group: "look",
    usage: ["show <run>"],
    does: "show what happened in a run",
    options: [
      { option: "--log", does: "its events, one a line" },
      { option: "--reasoning", does: "the same with the reasons that models gave" },
      { option: "--json", does: "print JSON: the report, or with --log the events" },
    ],
    notes: ["A run is named by its ID or any unambiguous beginning of it."],
  },
  {
    name: "checkpoints",
    group: "look",
    usage: ["checkpoints <run>"],
    does: "list the points from which a run can continue",
    options: [
      { option: "--compare <a> <b>", does: "show how two of them differ" },
      { option: "--validate", does: "check that Forge can read all of them" },
    ],
    notes: [],
  },
  {
    name: "replay",
    group: "look",
    usage: ["replay <run>", "replay --recording <file>"],
    does: "repeat a run from its events or its recording, and compare",
    options: [
      { option: "--recording <file>", does: "a file that forge run --record wrote" },
      { option: "--repo <folder>", does: "the checkout of that run; by default this folder" },
    ],
    notes: [],
  },
  {
    name: "metrics",
    group: "look",
    usage: ["metrics"],
    does: "count results of the last 30 days against the 30 before",
    options: [{ option: "--repository <owner/name>", does: "only this repository" }, JSON_OPTION],
    notes: [],
  },
  {
    name: "memory",
    group: "look",
    usage: [
      "memory list <owner/name> [words]",
      "memory show <memory>",
      "memory restore <memory> ...",
      "memory consolidate <owner/name>",
    ],
    does: "show what Forge remembers of a repository, restore, tidy up",
    options: [
      { option: "--put-away", does: "with list: what was archived, and why" },
      { option: "--limit <n>", does: "with list: how many" },
      JSON_OPTION,
    ],
    notes: [
      "A memory is named by any unambiguous beginning of its ID. It works while Forge runs. Only /forge forget deletes a memory.",
    ],
  },
] as const satisfies readonly CommandText[];

export type CommandName = (typeof COMMANDS)[number]["name"];
