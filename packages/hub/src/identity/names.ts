import { HubError } from '../errors/hub-error.ts';

/**
 * Names are taken as they are or refused, never changed: two that become one after changing would be one agent.
 */
export function acceptAgentId(value: string): string {
  return accept('agent_id', value, /^[a-zA-Z0-9_.-]{1,96}$/, '1 to 96 letters, digits, "_", "." or "-"');
}

export function acceptControllerId(value: string): string {
  return accept('controller_id', value, NAME, '1 to 120 letters, digits, "_", ".", ":" or "-"');
}

/** Whether a context id that is no UUID can stand for a session of its agent. */
export function isContextToken(value: string): boolean {
  return NAME.test(value);
}

const NAME = /^[a-zA-Z0-9_.:-]{1,120}$/;

function accept(field: string, value: string, pattern: RegExp, expected: string): string {
  if (pattern.test(value)) return value;
  throw new HubError('DELX-A2A-1004', `Expected ${field} to be ${expected}, found another text.`, {
    hint: `Choose a ${field} of these characters and use it in every call.`,
    details: { field },
  });
}
