/** What says how a project is built and which packages it has. */
const MANIFESTS = [
  ...["package.json", "pyproject.toml", "setup.cfg", "requirements.txt", "go.mod", "Cargo.toml", "pom.xml"],
  ...["build.gradle", "build.gradle.kts", "Gemfile", "composer.json", "mix.exs", "deno.json", "Makefile"],
];

/** What people tell those who want to contribute. */
const GUIDES = ["CONTRIBUTING.md", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md", "README.md"];

/** Documents of a repository that its planner is given, the most telling first; contents are read by whoever calls. */
export function chooseDocuments(paths: readonly string[]): string[] {
  const known = new Set(paths);
  const guide = GUIDES.find((path) => known.has(path));
  return [...MANIFESTS.filter((path) => known.has(path)).slice(0, 4), ...(guide === undefined ? [] : [guide])];
}
