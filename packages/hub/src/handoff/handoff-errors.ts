import type { JsonObject } from '@holdword/protocol';
import { isoTime } from '../contracts/session-fields.ts';
import { HubError } from '../errors/hub-error.ts';
import type { ClaimOutcome } from './lease/transitions.ts';

/** Somebody else's hand-off and none at all give the same answer. */
export function handoffNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'There is no such hand-off for this agent.', {
    hint: 'handoff/list shows the hand-offs that this agent can see.',
    details: { reason: 'handoff_not_found' },
  });
}

export function taskNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'There is no such task for this agent.', {
    hint: 'Give the task_id of a task of this agent, or of an agent whose controller it is.',
    details: { reason: 'task_not_found' },
  });
}

export function claimRejected(outcome: Extract<ClaimOutcome, { rejected: string }>): HubError {
  if (outcome.rejected === 'taken') {
    const until = isoTime(outcome.until);
    return handoffError('already_claimed', `Another agent has claimed this task until ${until}.`, {
      hint: 'Look at handoff/list for other work. The task can be claimed again if its holder gives it back or is not heard of.',
      details: { lease_until: until },
    });
  }
  return handoffError(
    `handoff_${outcome.rejected}`,
    `This hand-off is ${outcome.rejected} and cannot be claimed.`,
    {
      hint: 'handoff/list shows what can be claimed.',
    },
  );
}

export function leaseLost(): HubError {
  return handoffError(
    'lease_lost',
    'Expected the token of the lease that holds now, found none or another one.',
    {
      hint: 'Claim the hand-off again with handoff/claim; if that is refused, another agent goes on with the task.',
    },
  );
}

export function handoffError(
  reason: string,
  message: string,
  more: { hint: string; details?: JsonObject },
): HubError {
  return new HubError('DELX-A2A-1099', message, { hint: more.hint, details: { reason, ...more.details } });
}

export function invalidParameter(field: string, expected: string): HubError {
  return new HubError('DELX-A2A-1004', `Expected ${field} to be ${expected}, found something else.`, {
    hint: `Give ${field} as ${expected}.`,
    details: { field },
  });
}
