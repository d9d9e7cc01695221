import type { IncomingMessage, ServerResponse } from 'node:http';
import { A2AError, type JsonObject, type ProtocolVersion, type SendMessageRequest } from '@holdword/protocol';
import {
  asObject,
  isObject,
  jsonRpcFailure,
  jsonRpcResult,
  nearestName,
  OPERATIONS,
  type JsonRpcId,
} from '@holdword/protocol/internal';
import type { Caller, Operations, RequestContext } from '@holdword/runtime';
import {
  JSON_TYPE,
  readBody,
  requireJson,
  sendJson,
  type JsonRpcResponder,
} from '@holdword/runtime/internal';
import type { HubContext } from '../hub-part.ts';
import { agentOfOwner } from '../identity/identity.ts';
import { toHubError, toRpcAnswer } from '../wire/encode-error.ts';
import { HubError, showValue } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { firstText } from '../wire/read-fields.ts';
import type { HubRequestContext } from '../wire/request-context.ts';
import { rejectedCaller, sendAnswer, type AdmitRequest } from './http-exchange.ts';

/** The A2A version that a method name belongs to. */
const STANDARD_METHODS: ReadonlyMap<string, ProtocolVersion> = new Map(
  Object.values(OPERATIONS).flatMap(({ method, v03 }): [string, ProtocolVersion][] =>
    v03 === undefined
      ? [[method, '1.0']]
      : [
          [method, '1.0'],
          [v03.method, '0.3'],
        ],
  ),
);

/** The version of a standard method; its name does not tell 1.1 from 1.0. Undefined for other methods. */
function versionOf(method: string, { headers }: IncomingMessage): ProtocolVersion | undefined {
  const version = STANDARD_METHODS.get(method);
  return version === '1.0' && headers['a2a-version'] === '1.1' ? '1.1' : version;
}

export interface RpcEndpointOptions {
  readonly context: HubContext;
  readonly methods: readonly HubMethod[];
  readonly admitRequest: AdmitRequest;
  /** Handles plain A2A requests. */
  readonly answerStandard: JsonRpcResponder;
  readonly requireDriver: RequireDriver;
}

/** Throws a HubError if the caller owns the task but must not change it now, because another agent holds it. */
export type RequireDriver = (taskId: string, agentId: string) => Promise<void>;

/**
 * The operations for plain A2A. A message that has waited for its turn is refused if another agent has claimed its task
 * meanwhile.
 */
export function fencedOperations(operations: Operations, requireDriver: RequireDriver): Operations {
  const fenced = ({ message: { taskId } }: SendMessageRequest, context: RequestContext): RequestContext => {
    const agentId = agentOfOwner(context.owner);
    if (!taskId || agentId === undefined) return context;
    const mayContinue = () => requireDriver(taskId, agentId).catch(rethrowAsStandard);
    return Object.assign(context, { mayContinue });
  };
  return {
    ...operations,
    sendMessage: (request, context) => operations.sendMessage(request, fenced(request, context)),
    sendStreamingMessage: (request, context) =>
      operations.sendStreamingMessage(request, fenced(request, context)),
  };
}

function rethrowAsStandard(error: unknown): never {
  if (!(error instanceof HubError)) throw error;
  throw new A2AError('UNSUPPORTED_OPERATION', `${error.message} ${error.hint ?? ''}`.trim());
}

export type RpcEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** JSON-RPC at `/v1/a2a`: the hub's methods and, for registered agents, all A2A methods. */
export function createRpcEndpoint(options: RpcEndpointOptions): RpcEndpoint {
  const { context, admitRequest, answerStandard } = options;
  const methods = new Map(options.methods.map((method) => [method.name, method]));

  async function answer(body: string, opened: HubRequestContext, http: Http): Promise<void> {
    const rpc = readRequest(body);
    const requestContext = { ...opened, contextId: rpc.contextId };
    const method = methods.get(rpc.method);
    const version = versionOf(rpc.method, http.request);
    if (
      version !== undefined &&
      (method === undefined || method.isStandard?.(rpc.params, requestContext) === true)
    ) {
      const caller = await standardCaller(options, requestContext, rpc).catch((error: unknown) => {
        if (!(error instanceof HubError) || error.httpStatus === TOO_MANY) throw error;
        context.recordRejection(requestContext, rpc.method, error);
        sendStandardError(http.response, rpc, error);
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
    let requestContext: HubRequestContext | undefined;
    try {
      requestContext = await admitRequest(request, response);
      requireJson(request);
      body = await readBody(request, context.settings.bodyBytes);
      await answer(body, requestContext, { request, response });
    } catch (thrown) {
      const error = toHubError(thrown);
      const { id, method } = readRejectedRequest(body);
      // The name of an unknown method is caller input and stays out of the audit log.
      const operation = methods.has(method) || STANDARD_METHODS.has(method) ? method : undefined;
      context.recordRejection(requestContext ?? rejectedCaller(request), operation, error);
      if (error.code === 'DELX-A2A-1500')
        context.log.error('Internal error while handling a hub request.', { error: String(thrown) });
      sendAnswer(request, response, toRpcAnswer(error, id, context.links));
    }
  };
}

interface Http {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function standardCaller(
  { context, requireDriver }: RpcEndpointOptions,
  requestContext: HubRequestContext,
  rpc: RpcRequest,
): Promise<Caller> {
  const identity = await context.identities.require(requestContext, rpc.params);
  if ('message' in rpc.params) context.limits.take('messagesPerMinute', identity.agentId);
  const taskId = changedTask(rpc);
  if (taskId !== undefined) await requireDriver(taskId, identity.agentId);
  return { id: identity.owner.caller, authenticated: true };
}

const TOO_MANY = 429;
const CANCELS = /cancel/i;

/** The task that a plain A2A request, of either version, sends a message to or cancels. */
function changedTask({ method, params }: RpcRequest): string | undefined {
  if (CANCELS.test(method)) return firstText(params, ['id']);
  return firstText(asObject(params['message']), ['taskId', 'task_id']);
}

/** Answers with A2A's error: plain A2A clients do not know the hub's codes. */
function sendStandardError(
  response: ServerResponse,
  { id, method }: RpcRequest,
  { code, message, hint }: HubError,
): void {
  const text = `${message} ${hint ?? ''}`.trim();
  if (code === 'DELX-A2A-1099') {
    const refusal = CANCELS.test(method) ? 'TASK_NOT_CANCELABLE' : 'UNSUPPORTED_OPERATION';
    sendJson(response, 200, JSON_TYPE, jsonRpcFailure(id, new A2AError(refusal, text)));
    return;
  }
  const error = new A2AError('UNAUTHENTICATED', text);
  sendJson(response, 401, JSON_TYPE, jsonRpcFailure(id, error), { 'WWW-Authenticate': 'AgentToken' });
}

function unknownMethod(method: string, known: readonly string[]): HubError {
  const nearest = nearestName(method, known);
  return new HubError('DELX-A2A-1002', `Unknown method ${showValue(method)}.`, {
    hint: nearest === undefined ? 'Call methods/list to see the methods.' : `Did you mean ${nearest}?`,
    details: { methods: known.toSorted() },
  });
}

/** A JSON-RPC request to the hub. */
export interface RpcRequest {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly contextId: string | undefined;
}

/** Reads id and method of a rejected request: the error must carry the id even if the rest is invalid. */
function readRejectedRequest(body: string): { id: JsonRpcId; method: string } {
  try {
    const value: unknown = JSON.parse(body);
    const { id, method } = isObject(value) ? value : {};
    return {
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      method: typeof method === 'string' ? method : '',
    };
  } catch {
    return { id: null, method: '' };
  }
}

function readRequest(body: string): RpcRequest {
  const envelope = parse(body);
  if (Array.isArray(envelope)) throw invalid('Batch requests are not supported.');
  if (!isObject(envelope)) throw invalid(`Expected a JSON-RPC request object, found ${showValue(envelope)}.`);
  const { id = null, jsonrpc, method, contextId } = envelope;
  const params = envelope['params'] ?? {};
  if (jsonrpc !== '2.0') throw invalid(`Expected jsonrpc to be "2.0", found ${showValue(jsonrpc)}.`);
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw invalid(`Expected id to be a string or a number, found ${showValue(id)}.`);
  if (typeof method !== 'string' || method === '')
    throw invalid(`Expected method to be the name of a method, found ${showValue(method)}.`);
  if (!isObject(params)) {
    throw new HubError('DELX-A2A-1004', `Expected params to be an object, found ${showValue(params)}.`, {
      hint: 'Pass the parameters by name: "params": {"agent_id": "…"}.',
      details: { field: 'params' },
    });
  }
  return { id, method, params, contextId: typeof contextId === 'string' ? contextId : undefined };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new A2AError('PARSE_ERROR', 'Request body is not valid JSON.', { cause });
  }
}

function invalid(message: string): HubError {
  return new HubError('DELX-A2A-1001', message, {
    hint: 'Send one JSON-RPC 2.0 request, such as {"jsonrpc": "2.0", "id": 1, "method": "methods/list"}.',
  });
}
