import { openCall, type Call } from '../calls/call.ts';
import { requestTime } from '../calls/request-time.ts';
import { updateReporter } from '../calls/update-reporter.ts';
import type { Destination } from '../destinations/destination.ts';
import { resolveDestination } from '../destinations/resolve-destination.ts';
import { callError } from '../results/call-error.ts';
import type { Outcome } from '../results/outcome.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import type { Services } from '../services.ts';
import type { ActionCall } from './action.ts';

/** Runs something about a task within the time of its request, and says in the words of the tool why it failed. */
export async function followUp(
  action: ActionCall,
  services: Services,
  run: (call: Call, taskId: string, destination: Destination) => Promise<Outcome>,
): Promise<Outcome> {
  const { request, signal, onUpdate } = action;
  using limit = requestTime(request, services.config, signal);
  const destination = await resolveDestination(request, services);
  const { target, taskId } = destination;
  if (taskId === undefined) throw new RemoteAgentError('INTERNAL_ERROR', 'The rules ask for a task.');
  const call = openCall(services, {
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
