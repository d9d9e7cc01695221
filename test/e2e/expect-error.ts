import { status as grpcStatus } from '@grpc/grpc-js';
import type { A2AErrorCode } from '@holdword/protocol';
import { ERROR_TABLE } from '@holdword/protocol/internal';
import { expect } from 'vitest';
import type { Driver, StreamedEvent } from '../support/drivers/driver.ts';
import { WireError } from '../support/drivers/wire-error.ts';

/** The errors that the A2A specification names; the official client has a class for each. */
function isNamedByA2A(code: A2AErrorCode): boolean {
  const { jsonRpc } = ERROR_TABLE[code];
  return jsonRpc <= -32001 && jsonRpc >= -32009;
}

/** Errors that neither A2A nor JSON-RPC names have our own domain. */
function domainOf(code: A2AErrorCode): string {
  const { jsonRpc } = ERROR_TABLE[code];
  return jsonRpc <= -32090 && jsonRpc >= -32099 ? 'holdword' : 'a2a-protocol.org';
}

/** Expects the error of the table, as the driver's binding and client show it, and returns it for more checks. */
export async function expectError(
  driver: Driver,
  code: A2AErrorCode,
  answer: Promise<unknown>,
): Promise<WireError> {
  const error = await errorOf(answer);
  expect(error.message).not.toBe('');
  if (driver.client === 'raw') {
    expectCodes(driver, code, error);
  } else if (isNamedByA2A(code)) {
    expect(error.reason).toBe(code);
  }
  return error;
}

/** The same for a stream: it must fail before its first event. */
export function expectStreamError(
  driver: Driver,
  code: A2AErrorCode,
  events: AsyncIterable<StreamedEvent>,
): Promise<WireError> {
  return expectError(driver, code, firstOf(events));
}

async function firstOf(events: AsyncIterable<StreamedEvent>): Promise<StreamedEvent | undefined> {
  for await (const event of events) {
    return event;
  }
  return undefined;
}

async function errorOf(answer: Promise<unknown>): Promise<WireError> {
  try {
    const value = await answer;
    throw new Error(`Expected an error, found ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof WireError) {
      return error;
    }
    throw error;
  }
}

function expectCodes(driver: Driver, code: A2AErrorCode, error: WireError): void {
  const { jsonRpc, http, grpc } = ERROR_TABLE[code];
  switch (driver.binding) {
    case 'JSONRPC':
      expect(error.code).toBe(jsonRpc);
      break;
    case 'HTTP+JSON':
      expect(error.httpStatus).toBe(http);
      expect(error.code).toBe(driver.version === '1.0' ? http : jsonRpc);
      break;
    case 'GRPC':
      expect(error.status).toBe(grpc);
      expect(error.code).toBe(grpcStatus[grpc]);
      break;
  }
  if (driver.version === '1.0') {
    expect(error.errorInfo).toMatchObject({ reason: code, domain: domainOf(code) });
  }
}
