/** A notification that cannot be trusted. Respond with `status`. */
export class PushRefusedError extends Error {
  readonly status: 400 | 401;

  constructor(status: 400 | 401, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PushRefusedError';
    this.status = status;
  }
}
