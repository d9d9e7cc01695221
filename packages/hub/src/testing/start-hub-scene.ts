import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { noAuthentication, startRuntime, type Executor, type Runtime } from '@holdword/runtime';
import { openMemoryStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { keepForSuccessor } from '../handoff/keep-for-successor.ts';
import { createHub, type Hub, type HubOptions } from '../hub.ts';
import { toHubError } from '../wire/encode-error.ts';
import type { HubError } from '../wire/hub-error.ts';
import type { HubRequestContext } from '../wire/request-context.ts';

export interface HubScene {
  readonly hub: Hub;
  readonly store: Store;
  readonly runtime: Runtime;
  /** Advances the hub's clock. */
  readonly pass: (milliseconds: number) => void;
  readonly now: () => number;
  /** Calls a method as the agent and returns its result. */
  readonly call: (method: string, params?: JsonObject, agent?: TestAgent) => Promise<JsonObject>;
  /** Calls a method with the credential of an operator. */
  readonly asOperator: (method: string, params?: JsonObject) => Promise<JsonObject>;
  /** Calls a method that must be rejected and returns the error. */
  readonly rejected: (method: string, params?: JsonObject, agent?: TestAgent) => Promise<HubError>;
  readonly register: (agentId: string, more?: JsonObject, controller?: TestAgent) => Promise<TestAgent>;
}

export interface TestAgent {
  readonly agentId: string;
  readonly token: string;
  readonly sessionId: string;
  /** Sent with each of its requests. */
  readonly idempotencyKey?: string;
}

export const START = Date.parse('2027-01-15T08:00:00Z');

/** Starts a hub on an in-memory runtime with its own clock; it stops with its test. */
export async function startHubScene(
  executor: Executor | Executor['execute'],
  options: Partial<HubOptions> = {},
): Promise<HubScene> {
  const store = options.store ?? openMemoryStore();
  let time = START;
  const now = (): number => time;
  const runtime = await startRuntime({
    store,
    executor: keepForSuccessor(typeof executor === 'function' ? { execute: executor } : executor),
  });
  const hub = createHub({
    store,
    operations: runtime.operations,
    baseUrl: 'http://hub.example',
    authentication: noAuthentication(),
    now,
    ...options,
  });
  onTestFinished(async () => {
    await hub.close();
    await runtime.stop();
  });
  const callWith = (name: string, params: JsonObject, context: HubRequestContext): Promise<JsonObject> => {
    const method = hub.methods.find((each) => each.name === name);
    if (method === undefined) throw new Error(`Unknown method ${name}.`);
    return method.handle(params, context);
  };
  const call = async (name: string, params: JsonObject = {}, agent?: TestAgent): Promise<JsonObject> =>
    callWith(name, params, requestContextOf(agent));
  return {
    hub,
    store,
    runtime,
    now,
    pass: (milliseconds) => (time += milliseconds),
    call,
    asOperator: async (name, params = {}) =>
      callWith(name, params, {
        ...requestContextOf(undefined),
        callerKey: '["","key:operator"]',
        isOperator: true,
      }),
    rejected: async (name, params, agent) => {
      try {
        await call(name, params, agent);
      } catch (error) {
        return toHubError(error);
      }
      throw new Error(`Expected ${name} to be rejected, but it succeeded.`);
    },
    register: async (agentId, more = {}, controller) => {
      const params = {
        agent_id: agentId,
        ...(controller && { controller_id: controller.agentId }),
        ...more,
      };
      const headers = controller && { 'x-delx-controller-token': controller.token };
      const method = hub.methods.find(({ name }) => name === 'agents/register');
      const result = asObject(
        await method?.handle(params, { ...requestContextOf(undefined), headers: headers ?? {} }),
      );
      const { token } = asObject(result['identity_auth']);
      return { agentId, token: String(token), sessionId: String(result['session_id']) };
    },
  };
}

function requestContextOf(agent: TestAgent | undefined): HubRequestContext {
  const key = agent?.idempotencyKey;
  return {
    headers: {
      ...(agent && { 'x-delx-agent-id': agent.agentId, 'x-delx-agent-token': agent.token }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    peer: undefined,
    callerKey: undefined,
    isOperator: false,
    startedAt: performance.now(),
    signal: new AbortController().signal,
  };
}
