import { isStreaming, OPERATIONS, type OperationRequest } from '@holdword/protocol/internal';
import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import { whole } from './large-answers.ts';
import {
  type EventStream,
  numberedFrames,
  type Operation,
  type OperationResult,
  type Operations,
  type RequestContext,
} from './operations.ts';
import { pushConfigOperations } from './push-configs.ts';
import { rethrowStoreError, storeUnavailable } from './rethrow-store-error.ts';
import { sendMessage, sendStreamingMessage } from './send-message.ts';
import { subscribeToTask } from './subscribe-to-task.ts';
import { taskOperations } from './tasks.ts';

type Implementations = {
  readonly [Name in keyof Operations]: (
    engine: Engine,
    request: OperationRequest<Name>,
    context: RequestContext,
    agent: AgentDescription,
  ) => Promise<OperationResult<Name>>;
};

const IMPLEMENTATIONS: Implementations = {
  sendMessage,
  sendStreamingMessage,
  subscribeToTask,
  ...taskOperations,
  ...pushConfigOperations,
};

/** The operations of one agent. Those that write are rejected at once while the store is known not to accept writes. */
export function bindOperations(engine: Engine, agent: AgentDescription): Operations {
  const bind = <Name extends keyof Operations>(name: Name): Operation<Name> => {
    const run: Implementations[Name] = IMPLEMENTATIONS[name];
    return async (request, context) => {
      const { storeFailure } = engine;
      if (storeFailure !== undefined && !OPERATIONS[name].readOnly) throw storeUnavailable(storeFailure);
      const running = run(engine, request, context, agent).catch((error: unknown) => {
        engine.noticeDamage(error);
        return rethrowStoreError(error);
      });
      const result = context.readsPieces === true ? running : running.then((value) => whole(value));
      return context.version === '1.1' && isStreaming(name) ? result.then(numbered) : result;
    };
  };
  const names = Object.keys(IMPLEMENTATIONS) as (keyof Operations)[];
  return Object.fromEntries(names.map((name) => [name, bind(name)])) as unknown as Operations;
}

/** Only for streams, which the types cannot tell here. */
function numbered<Name extends keyof Operations>(stream: OperationResult<Name>): OperationResult<Name> {
  return numberedFrames(stream as EventStream) as OperationResult<Name>;
}
