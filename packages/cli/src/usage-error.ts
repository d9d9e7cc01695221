/** The command line, the environment or the configuration is invalid. The program prints the message and exits with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A valid command failed. The program prints the message and exits with code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
