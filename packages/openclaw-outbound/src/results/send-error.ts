import type { RemoteCall } from '../calls/remote-call.ts';
import type { Delivery } from '../calls/deliver.ts';
import type { RemoteAgentRequest } from '../request/request.ts';
import type { Services } from '../services.ts';
import { callError } from './call-error.ts';
import { capabilityDiagnostics } from './capability-diagnostics.ts';
import { RemoteAgentError } from './remote-agent-error.ts';
import { withStreamDetails } from './stream-details.ts';
import { taskDetails } from './task-details.ts';

/** The error of a failed send, with its progress, its task and the agent's capabilities. */
export async function sendError(
  error: unknown,
  context: { call: RemoteCall; delivery: Delivery; request: RemoteAgentRequest; services: Services },
): Promise<unknown> {
  const { call, delivery, request, services } = context;
  const { card, view, log, follows } = delivery;
  const known = follows ? withStreamDetails(error, log, call.limit) : callError(error, call.limit);
  if (!(known instanceof RemoteAgentError) || known.code !== 'A2A_SDK_ERROR') return known;
  const task = view?.toTask();
  return known.with({
    ...(card && {
      capability_diagnostics: capabilityDiagnostics(
        request,
        card,
        services.config.policy.acceptedOutputModes,
      ),
    }),
    ...(task &&
      (await taskDetails(
        call.target,
        {
          id: task.id,
          contextId: task.contextId === '' ? undefined : task.contextId,
          state: task.status.state,
        },
        services,
      ))),
  });
}
