import type { GateQuestion } from "../../../domain/gates.ts";
import type { Role } from "../../../domain/subjects.ts";

/** The work cannot go on without a person; what is done is recorded, and whoever takes it up again goes on exactly there. */
export class AwaitsPerson extends Error {
  override readonly name = "AwaitsPerson";
  readonly question: GateQuestion;
  readonly needs: Role;

  constructor(question: GateQuestion, needs: Role) {
    super(`The run waits for a person: ${question.type}`);
    this.question = question;
    this.needs = needs;
  }
}
