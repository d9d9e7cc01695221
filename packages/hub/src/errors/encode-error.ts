import type { JsonObject } from '@holdword/protocol';
import type { JsonRpcId } from '@holdword/protocol/internal';
import type { HubLinks } from '../contracts/hub-links.ts';
import { HUB_ERROR_CODES } from './error-codes.ts';
import type { HubError } from './hub-error.ts';
import { RestError } from './rest-error.ts';
import { toHubError } from './to-hub-error.ts';

export interface EncodedError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Encodes an error as a JSON-RPC response. */
export function toRpcAnswer(error: HubError, id: JsonRpcId, links: HubLinks): EncodedError {
  const { code, message, hint, details, httpStatus, headers } = error;
  return {
    status: httpStatus,
    headers,
    body: {
      jsonrpc: '2.0',
      id,
      error: {
        code: HUB_ERROR_CODES[code].rpc,
        message,
        data: {
          delx_code: code,
          docs: links.methods_url,
          tools_docs: links.tools_catalog_url,
          ...(hint !== undefined && { hint }),
          ...(details !== undefined && { details }),
        },
      },
    },
  };
}

/** HTTP statuses of errors that JSON-RPC answers with 200. */
const REST_STATUSES: Partial<Record<HubError['code'], number>> = {
  'DELX-A2A-1004': 400,
  'DELX-A2A-1005': 400,
  'DELX-A2A-1011': 404,
  'DELX-A2A-1500': 500,
};

/** Encodes an error as a REST response. */
export function toRestAnswer(error: unknown): EncodedError {
  if (error instanceof RestError) {
    const { status, code, message, hint } = error;
    return { status, headers: {}, body: { status: 'error', error: { code, message, hint } } };
  }
  const { code, message, hint, details, httpStatus, headers } = toHubError(error);
  const status = httpStatus === 200 ? (REST_STATUSES[code] ?? 409) : httpStatus;
  return {
    status,
    headers,
    body: {
      status: 'error',
      error: {
        code,
        message,
        ...(hint !== undefined && { hint }),
        ...(details !== undefined && { details }),
      },
    },
  };
}
