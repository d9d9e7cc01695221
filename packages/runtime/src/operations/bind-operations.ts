import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import type { OperationRequest } from '@holdword/protocol/internal';
import type { Operation, OperationResult, Operations, RequestContext } from './operations.ts';
import { pushConfigOperations } from './push-configs.ts';
import { rethrowStoreError } from './rethrow-store-error.ts';
import { sendMessage, sendStreamingMessage } from './send-message.ts';
import { subscribeToTask } from './subscribe-to-task.ts';
import { cancelTask, getTask, listTasks } from './tasks.ts';

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
  getTask,
  listTasks,
  cancelTask,
  ...pushConfigOperations,
};

/** The operations of one agent. */
export function bindOperations(engine: Engine, agent: AgentDescription): Operations {
  const bind = <Name extends keyof Operations>(name: Name): Operation<Name> => {
    const run: Implementations[Name] = IMPLEMENTATIONS[name];
    return (request, context) => run(engine, request, context, agent).catch(rethrowStoreError);
  };
  const names = Object.keys(IMPLEMENTATIONS) as (keyof Operations)[];
  return Object.fromEntries(names.map((name) => [name, bind(name)])) as unknown as Operations;
}
