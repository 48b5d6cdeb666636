import type { Subject } from "../domain/subjects.ts";
import type { ListedRepository } from "../github/person-host.ts";

/** Who looks, and what GitHub lists for them (OPS-2). */
export interface Visitor {
  /** As GitHub numbers people: a login can be given away. */
  readonly id: number;
  readonly login: string;
  /** Sees every repository. */
  readonly isOperator: boolean;
  /** Asked of GitHub at this moment, before an operator changes something; throws where GitHub no longer takes the sign-in. */
  operatorNow(): Promise<boolean>;
  /** By numeric id; what GitHub said at most 10 minutes ago. */
  repositories(): Promise<ReadonlyMap<number, ListedRepository>>;
  /** Asked of GitHub at this moment, before an action; undefined where the person does not see the repository. */
  repositoryNow(repositoryId: number): Promise<ListedRepository | undefined>;
  /** Writes a comment in their name, as they would on GitHub. */
  comment(subject: Subject, body: string): Promise<void>;
  /** What a form must bring with it: bound to the session, so that nobody else's page can send one. */
  readonly formToken: string;
}
