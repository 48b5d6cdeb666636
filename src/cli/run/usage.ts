/** One line, beside those of the other commands. */
export const RUN_USAGE = 'run "<task>" [--repo <folder>] [--yes] [--report <file>] [--record <file>] | run --help';
