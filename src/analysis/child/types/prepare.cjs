// What a child that checks types begins with, where Node keeps it in a snapshot (`--build-snapshot`): TypeScript that has read and bound its
// own library, and has checked a file. A plain script, because Node takes nothing else for a snapshot, and loads no packages for it.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

// Beside us in a checkout, and around us where Forge is installed as a package.
const FORGE = join(__dirname, "..", "..", "..", "..");
const LIBRARIES = [join(FORGE, "node_modules"), join(FORGE, "..")]
  .map((packages) => join(packages, "typescript", "lib"))
  .find((folder) => existsSync(folder));
const options = JSON.parse(readFileSync(join(__dirname, "options.json"), "utf8"));
// What is checked once is compiled, and stays so: something that says much of what TypeScript can say.
const SAMPLE = ["find-type-faults.ts", "find-type-faults.js"]
  .map((name) => join(__dirname, name))
  .find((file) => existsSync(file));

const typescript = loadTypeScript(join(LIBRARIES, "typescript.js"));
const libraries = new Map();
const program = typescript.createProgram([SAMPLE], { ...options, lib: ["lib.esnext.d.ts"] }, host());
program.getSemanticDiagnostics(program.getSourceFile(SAMPLE));

globalThis.forgeTypes = { typescript, libraries };

function loadTypeScript(file) {
  const module = { exports: {} };
  const run = new Function("module", "exports", "require", "__filename", "__dirname", readFileSync(file, "utf8"));
  run(module, module.exports, require, file, LIBRARIES);
  return module.exports;
}

/** As that of find-type-faults.ts, in which the library is looked up. */
function host() {
  return {
    getSourceFile: (name, languageVersion) => {
      if (name !== SAMPLE && !name.startsWith(LIBRARIES)) return undefined;
      const source = typescript.createSourceFile(name, readFileSync(name, "utf8"), languageVersion, name === SAMPLE);
      if (name !== SAMPLE) libraries.set(name, source);
      return source;
    },
    jsDocParsingMode: typescript.JSDocParsingMode.ParseNone,
    getDefaultLibFileName: () => join(LIBRARIES, "lib.d.ts"),
    getDefaultLibLocation: () => LIBRARIES,
    writeFile: () => undefined,
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    fileExists: (name) => name === SAMPLE,
    readFile: () => undefined,
    directoryExists: () => true,
    getDirectories: () => [],
  };
}
