import fc from "fast-check";

/**
 * fast-check with one seed for all: a test that fails here fails everywhere and again. `FORGE_TEST_SEED=<number>` tries others; `npm run fuzz`
 * and `npm run hostile` look for what nobody has seen.
 */
fc.configureGlobal({ seed: Number(process.env.FORGE_TEST_SEED ?? 20_261_123) });

export default fc;
