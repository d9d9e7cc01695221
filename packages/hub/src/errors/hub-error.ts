import type { JsonObject } from '@holdword/protocol';
import { HUB_ERROR_CODES, type HubErrorCode } from './error-codes.ts';

export interface HubErrorOptions {
  /** What to do next. */
  hint?: string;
  /** Machine-readable facts about the error. */
  details?: JsonObject;
  /** Overrides the HTTP status of the code. */
  httpStatus?: number;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** An error that the hub reports to a caller. The message says what is wrong, the hint what to do next. */
export class HubError extends Error {
  readonly code: HubErrorCode;
  readonly hint: string | undefined;
  readonly details: JsonObject | undefined;
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: HubErrorCode, message: string, options: HubErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'HubError';
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
    this.httpStatus = options.httpStatus ?? HUB_ERROR_CODES[code].http;
    this.headers = options.headers ?? {};
  }
}
