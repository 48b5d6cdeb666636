/** What the queue needs of a logger; pino fits. */
export interface QueueLog {
  readonly warn: (facts: object, message: string) => void;
  readonly error: (facts: object, message: string) => void;
}
