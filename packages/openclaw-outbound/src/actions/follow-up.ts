import { openRemoteCall, type RemoteCall } from '../calls/remote-call.ts';
import { requestTime } from '../calls/request-time.ts';
import { updateReporter } from '../calls/update-reporter.ts';
import type { Destination } from '../destinations/destination.ts';
import { resolveDestination } from '../destinations/resolve-destination.ts';
import { callError } from '../results/call-error.ts';
import type { Outcome } from '../results/outcome.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import type { Services } from '../services.ts';
import type { ToolCall } from './action.ts';

/** Runs an operation on a task within the request's timeout and turns failures into the tool's errors. */
export async function followUp(
  action: ToolCall,
  services: Services,
  run: (call: RemoteCall, taskId: string, destination: Destination) => Promise<Outcome>,
): Promise<Outcome> {
  const { request, signal, onUpdate } = action;
  using limit = requestTime(request, services.config, signal);
  const destination = await resolveDestination(request, services);
  const { target, taskId } = destination;
  if (taskId === undefined) throw new RemoteAgentError('INTERNAL_ERROR', 'the request has no task id');
  const call = openRemoteCall(services, {
    target,
    limit,
    serviceParameters: request.service_parameters,
    onEvent: updateReporter(request.action, target, onUpdate),
  });
  try {
    return await run(call, taskId, destination);
  } catch (error) {
    throw callError(error, limit);
  }
}
