/** The command line, the environment or the configuration is not as it must be. The program ends with code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that is right in form could not be done. The program ends with code 1 and shows the message alone. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
