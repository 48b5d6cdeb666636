import { parentPort, workerData } from "node:worker_threads";
import type { ChoiceQuestion, TestChoice } from "./choose-tests.ts";
import { coveringTests, selectTests } from "./select-tests.ts";
import { unpackRepository } from "./selection/packed-repository.ts";
import { readTexts } from "./selection/read-texts.ts";

/* The thread that looks a repository through for the tests of a change: its author chooses how long that takes. */

const { repository: packed, changed, risk, tests } = workerData as ChoiceQuestion;
const repository = unpackRepository(packed);
const { graph } = repository;
const gone = changed.flatMap(({ path, oldPath = path }) => [path, oldPath]);
const named = new Set(tests);
const isTest = (path: string) => named.has(path);
const texts = readTexts(repository, { gone, tests: graph.paths.filter(isTest) });
const facts = { graph, texts, changed, isTest };
const covering = coveringTests(facts);
parentPort?.postMessage({ selection: selectTests({ ...facts, risk }, covering), covering } satisfies TestChoice);
