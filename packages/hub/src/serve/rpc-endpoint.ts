import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, type ProtocolVersion } from '@holdword/protocol';
import { jsonRpcFailure, jsonRpcResult, nearestName, OPERATION_TABLE } from '@holdword/protocol/internal';
import type { Caller } from '@holdword/runtime';
import {
  JSON_TYPE,
  readBody,
  requireJson,
  sendJson,
  type JsonRpcResponder,
} from '@holdword/runtime/internal';
import { changeRequestContext } from '../change-request-context.ts';
import { toRpcAnswer } from '../errors/encode-error.ts';
import { HubError } from '../errors/hub-error.ts';
import { toHubError } from '../errors/to-hub-error.ts';
import type { HubContext } from '../hub-context.ts';
import type { HubRequestContext, HubMethod } from '../hub-part.ts';
import { rejectedCaller } from './record-rejection.ts';
import type { AdmitRequest } from './admit-request.ts';
import { readRejectedRequest, readRequest, type RpcRequest } from './read-request.ts';
import { sendAnswer } from './send-answer.ts';

/** Which version of A2A a method's name belongs to. */
const STANDARD_METHODS: ReadonlyMap<string, ProtocolVersion> = new Map(
  Object.values(OPERATION_TABLE).flatMap((entry): [string, ProtocolVersion][] => [
    [entry.method, '1.0'],
    ...('legacyMethod' in entry ? [[entry.legacyMethod, '0.3'] satisfies [string, ProtocolVersion]] : []),
  ]),
);

export interface RpcEndpointOptions {
  readonly context: HubContext;
  readonly methods: readonly HubMethod[];
  readonly admitRequest: AdmitRequest;
  /** Answers what is plain A2A. */
  readonly answerStandard: JsonRpcResponder;
}

export type RpcEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** JSON-RPC at `/v1/a2a`: the hub's methods, and beside them all of A2A for agents that have registered. */
export function createRpcEndpoint(options: RpcEndpointOptions): RpcEndpoint {
  const { context, admitRequest, answerStandard } = options;
  const methods = new Map(options.methods.map((method) => [method.name, method]));

  async function answer(body: string, opened: HubRequestContext, http: Http): Promise<void> {
    const rpc = readRequest(body);
    const requestContext =
      rpc.contextId === undefined ? opened : changeRequestContext(opened, { contextId: rpc.contextId });
    const method = methods.get(rpc.method);
    const version = STANDARD_METHODS.get(rpc.method);
    if (
      version !== undefined &&
      (method === undefined || method.isStandard?.(rpc.params, requestContext) === true)
    ) {
      const caller = await standardCaller(context, requestContext, rpc).catch((error: unknown) => {
        if (!(error instanceof HubError)) throw error;
        context.recordRejection(requestContext, rpc.method, error);
        sendUnauthenticated(http.response, rpc, error);
      });
      if (caller !== undefined) await answerStandard({ caller, body, version, ...http });
      return;
    }
    if (method === undefined) throw unknownMethod(rpc.method, [...methods.keys()]);
    const result = JSON.stringify(await method.handle(rpc.params, requestContext));
    sendJson(http.response, 200, JSON_TYPE, jsonRpcResult(rpc.id, result));
  }

  return async (request, response) => {
    let body = '';
    try {
      const requestContext = await admitRequest(request, response);
      requireJson(request);
      body = await readBody(request, context.settings.bodyBytes);
      await answer(body, requestContext, { request, response });
    } catch (thrown) {
      const error = toHubError(thrown);
      const { id, method = '' } = readRejectedRequest(body);
      // Of a method that does not exist no word: it is the caller's own.
      const operation = methods.has(method) || STANDARD_METHODS.has(method) ? method : undefined;
      context.recordRejection(rejectedCaller(request), operation, error);
      if (error.code === 'DELX-A2A-1500')
        context.log.error('A call of the hub failed inside.', { error: String(thrown) });
      sendAnswer(request, response, toRpcAnswer(error, id, context.links));
    }
  };
}

interface Http {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function standardCaller(
  context: HubContext,
  requestContext: HubRequestContext,
  { params }: RpcRequest,
): Promise<Caller> {
  const { owner } = await context.identities.require(requestContext, params);
  return { id: owner.caller, authenticated: true };
}

/** In A2A's own words: its clients know the hub's codes as something else. */
function sendUnauthenticated(
  response: ServerResponse,
  { id }: RpcRequest,
  { message, hint }: HubError,
): void {
  const error = new A2AError('UNAUTHENTICATED', `${message} ${hint ?? ''}`.trim());
  sendJson(response, 401, JSON_TYPE, jsonRpcFailure(id, error), { 'WWW-Authenticate': 'AgentToken' });
}

function unknownMethod(method: string, known: readonly string[]): HubError {
  const nearest = nearestName(method, known);
  return new HubError('DELX-A2A-1002', `There is no method ${JSON.stringify(method.slice(0, 80))}.`, {
    hint: nearest === undefined ? 'Call methods/list to see what there is.' : `Did you mean ${nearest}?`,
    details: { methods: known.toSorted() },
  });
}
