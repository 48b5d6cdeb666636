/** A project that Forge works on while it is measured, and what the model that answers at once does in it. */
export interface Project {
  /** In words, for the head of a table. */
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** What the change makes of some of them. */
  readonly edited: Readonly<Record<string, string>>;
  /** Tests that the change affects and the agent runs. */
  readonly tests: readonly string[];
  /** Run by the agent after its tests, in `node_modules/.bin`; a linter where there is none. */
  readonly typeCheck?: { readonly program: string; readonly args: readonly string[] };
  /** Where its packages come from; it needs none when this is left out. */
  readonly registryHost?: string;
}
