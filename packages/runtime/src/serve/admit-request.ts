import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestObservation } from '../observe/request-observation.ts';
import { requireAllowance, type CallerAllowance } from './admission.ts';
import type { Caller } from './auth/authentication.ts';
import { requireCaller } from './auth/require-caller.ts';
import type { HandlerContext } from './handler-context.ts';

/** Admits a request: authenticates the caller and applies its rate limit. */
export async function admitRequest(
  handler: HandlerContext,
  observation: RequestObservation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Caller> {
  const caller = await requireCaller(handler.authentication, request.headers);
  observation.caller = caller.id;
  observation.tenant = caller.tenant;
  const allowance = handler.admission.count(caller);
  if (allowance !== undefined) tellAllowance(response, allowance);
  requireAllowance(allowance);
  return caller;
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers. */
function tellAllowance(
  response: ServerResponse,
  { perMinute, remaining, resetSeconds }: CallerAllowance,
): void {
  response.setHeader('RateLimit-Policy', `"caller";q=${perMinute};w=60`);
  response.setHeader('RateLimit', `"caller";r=${remaining};t=${Math.ceil(resetSeconds)}`);
}
