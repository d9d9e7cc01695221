/**
 * A notification that cannot be trusted. Respond with `status`.
 *
 * @example
 * ```ts
 * throw new PushRefusedError(401, 'The signature is not valid.');
 * ```
 */
export class PushRefusedError extends Error {
  /** The HTTP status for the response. */
  readonly status: 400 | 401;

  constructor(status: 400 | 401, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PushRefusedError';
    this.status = status;
  }
}
