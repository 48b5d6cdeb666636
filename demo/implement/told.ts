/** The results of the story, for the report; filled while the story runs. */
export interface Told {
  issue?: number;
  pull?: number;
  branch?: string;
  /** "3f2c1ab feat: read a sum as an amount", oldest first. */
  commits?: readonly string[];
  /** Whether programs of the project could be run: for that there has to be a sandbox. */
  sandbox?: boolean;
  merged?: boolean;
}
