/** The labels that mean something to Forge, as GitHub shows them (GH-9): `color` is six hexadecimal digits. */
export const LABELS = [
  { name: "forge:implement", color: "5319e7", description: "Forge implements this issue and opens a pull request" },
  { name: "forge:skip", color: "c5def5", description: "Forge leaves this pull request alone" },
] as const;

export const IMPLEMENT_LABEL = LABELS[0].name;
