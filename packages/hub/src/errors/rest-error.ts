/** An error of a REST route of the hub. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, code: string, message: string, hint: string) {
    super(message);
    this.name = 'RestError';
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}
