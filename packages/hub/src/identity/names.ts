import { HubError } from '../errors/hub-error.ts';
import { showValue } from '../errors/show-value.ts';

/** Ids are accepted as they are or rejected, never normalized: two ids that normalize to one would be the same agent. */
export function acceptAgentId(value: string): string {
  return accept('agent_id', value, /^[a-zA-Z0-9_.-]{1,96}$/, '1 to 96 letters, digits, "_", "." or "-"');
}

export function acceptControllerId(value: string): string {
  return accept('controller_id', value, NAME, '1 to 120 letters, digits, "_", ".", ":" or "-"');
}

/** Whether a context id that is not a UUID can name a session of its agent. */
export function isContextToken(value: string): boolean {
  return NAME.test(value);
}

const NAME = /^[a-zA-Z0-9_.:-]{1,120}$/;

function accept(field: string, value: string, pattern: RegExp, expected: string): string {
  if (pattern.test(value)) return value;
  throw new HubError('DELX-A2A-1004', `Expected ${field} to be ${expected}, found ${showValue(value)}.`, {
    hint: `Choose a valid ${field} and use it in every request.`,
    details: { field },
  });
}
