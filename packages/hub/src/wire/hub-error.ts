import type { JsonObject } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';

/** The hub's error codes with their JSON-RPC code and HTTP status. */
export const HUB_ERROR_CODES = {
  'DELX-A2A-1000': { rpc: -32700, http: 400 },
  'DELX-A2A-1001': { rpc: -32600, http: 200 },
  'DELX-A2A-1002': { rpc: -32601, http: 200 },
  'DELX-A2A-1004': { rpc: -32602, http: 200 },
  'DELX-A2A-1005': { rpc: -32602, http: 200 },
  'DELX-A2A-1010': { rpc: -32602, http: 200 },
  'DELX-A2A-1011': { rpc: -32004, http: 200 },
  'DELX-A2A-1012': { rpc: -32010, http: 200 },
  'DELX-A2A-1013': { rpc: -32010, http: 200 },
  'DELX-A2A-1099': { rpc: -32000, http: 200 },
  'DELX-A2A-1401': { rpc: -32001, http: 401 },
  'DELX-A2A-1500': { rpc: -32603, http: 200 },
} as const;
export type HubErrorCode = keyof typeof HUB_ERROR_CODES;

export interface HubErrorOptions {
  /** What to do next. */
  hint?: string | undefined;
  /** Machine-readable facts about the error. */
  details?: JsonObject | undefined;
  /** Overrides the HTTP status of the code. */
  httpStatus?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
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

/** An error of a REST route of the hub. */
export class RestError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    hint: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'RestError';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}

/** The error for a parameter whose value is not what it should be. */
export function invalidParameter(
  field: string,
  expected: string,
  found: unknown,
  hint = `Set ${field} to ${expected}.`,
): HubError {
  return new HubError('DELX-A2A-1004', `Expected ${field} to be ${expected}, found ${showValue(found)}.`, {
    hint,
    details: { field },
  });
}

/** With the ellipsis. */
const MAX_SHOWN = 61;

/** A value in an error message: as JSON, shortened. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  return shorten(JSON.stringify(value) ?? typeof value, MAX_SHOWN);
}
