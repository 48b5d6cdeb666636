#!/usr/bin/env node
const { program } = require("commander");
const yargs = require("yargs");
const inquirer = require("inquirer");
const { execSync, spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const readline = require("readline");

program
  .command("build <target>")
  .option("--tag <tag>")
  .action((target, options) => {
    // wrong: CWE-78 option in a shell line
    execSync(`docker build -t ${options.tag} ${target}`, { stdio: "inherit" });
  });

program.command("push <image>").action((image) => {
  // right: CWE-78 argument list
  spawnSync("docker", ["push", "--", image], { stdio: "inherit" });
});

const argv = yargs(process.argv.slice(2)).argv;
if (argv.branch) {
  // wrong: CWE-78 argument of the line in a shell line
  execSync("git checkout " + argv.branch);
}

if (argv.jobs) {
  // right: CWE-78 a number of the line
  execSync(`make -j${Number(argv.jobs) || 1}`);
}

async function ask() {
  const { name } = await inquirer.prompt([{ name: "name", message: "Name of the package?" }]);
  // wrong: CWE-78 answer in a shell line
  execSync(`npm init -y ${name}`);
  // right: CWE-78 answer as an argument
  spawnSync("npm", ["init", "-y", name]);
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  // wrong: CWE-94 line of the input as code
  console.log(eval(line));
});

const version = execSync("git describe --tags").toString().trim();
// right: CWE-22 folder of the program and a constant
fs.writeFileSync(path.join(__dirname, "VERSION"), version);

// right: CWE-78 a constant list joined
execSync(["npm", "run", "build"].join(" "), { stdio: "inherit" });

const SCRIPTS = ["lint", "test"];
for (const script of SCRIPTS) {
  // right: CWE-78 items of a constant list
  execSync(`npm run ${script}`, { stdio: "inherit" });
}

// wrong: CWE-78 variable of the environment in a shell line
execSync("deploy --message " + process.env.COMMIT_MESSAGE);
// right: CWE-78 variable of the environment stays a variable, quoted by the shell
execSync('deploy --message "$COMMIT_MESSAGE"', { env: process.env });

ask();
program.parse();
