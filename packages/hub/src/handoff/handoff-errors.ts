import type { JsonObject } from '@holdword/protocol';
import { HubError } from '../wire/hub-error.ts';
import { isoTime } from '../wire/times.ts';
import type { ClaimOutcome } from './lease/transitions.ts';

/** An invisible hand-off and a nonexistent one cause the same error. */
export function handoffNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'Hand-off not found.', {
    hint: 'Call handoff/list to see the hand-offs that are visible to this agent.',
    details: { reason: 'handoff_not_found' },
  });
}

export function taskNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'Task not found.', {
    hint: 'Send the task_id of a task of this agent, or of an agent it controls.',
    details: { reason: 'task_not_found' },
  });
}

export function claimRejected(outcome: Extract<ClaimOutcome, { rejected: string }>): HubError {
  if (outcome.rejected === 'taken') {
    const until = isoTime(outcome.until);
    return handoffError('already_claimed', `Another agent has claimed this task until ${until}.`, {
      hint: 'Call handoff/list for other work. The task can be claimed again if its holder releases it or its lease expires.',
      details: { lease_until: until },
    });
  }
  return handoffError(
    `handoff_${outcome.rejected}`,
    `This hand-off is ${outcome.rejected} and cannot be claimed.`,
    {
      hint: 'Call handoff/list to see which hand-offs can be claimed.',
    },
  );
}

export function leaseLost(): HubError {
  return handoffError('lease_lost', 'The lease_token is missing or no longer valid.', {
    hint: 'Claim the hand-off again with handoff/claim. If that is rejected, another agent has taken over the task.',
  });
}

export function handoffError(
  reason: string,
  message: string,
  more: { hint: string; details?: JsonObject },
): HubError {
  return new HubError('DELX-A2A-1099', message, { hint: more.hint, details: { reason, ...more.details } });
}
