import type { JsonObject } from '@holdword/protocol';
import { HUB_ERROR_CODES, type HubErrorCode } from './error-codes.ts';

export interface HubErrorOptions {
  /** What to do next. */
  hint?: string;
  /** Facts about the failure for the caller's program. */
  details?: JsonObject;
  /** Another HTTP status than the code's own. */
  httpStatus?: number;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** A refusal of the hub. Its message says what was expected and what was found. */
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
