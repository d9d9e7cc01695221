import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { NEW_SESSION_FIELD, requireOneSession, sessionHeader } from '../sessions/declared-sessions.ts';
import { invalidParameter } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { configurationOf, metadataOf } from '../wire/read-fields.ts';

/** What a parameter must be. */
interface ParameterType {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const TEXT: ParameterType = { expected: 'a string', accepts: isText };
/** A blank id is one that the client failed to fill in. */
const ID: ParameterType = {
  expected: 'a non-empty string',
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
};
const FLAG: ParameterType = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
const TEXTS: ParameterType = {
  expected: 'a list of strings',
  accepts: (value) => Array.isArray(value) && value.every(isText),
};

/** Who calls, and about which task. These may also stand in `metadata`, `configuration` and `message`. */
const SUBJECTS: Readonly<Record<string, ParameterType>> = {
  agent_id: TEXT,
  agentId: TEXT,
  task_id: TEXT,
  taskId: TEXT,
};

/**
 * The parameters whose meaning changes if they are ignored: another task, another agent, another secret. Session and
 * context ids are missing on purpose, since the contract skips those that are not UUIDs; so are the parameters that only
 * change an answer, which cause a warning.
 */
const PARAMETERS: Readonly<Record<string, ParameterType>> = {
  ...SUBJECTS,
  agent_name: TEXT,
  agentName: TEXT,
  controller_id: TEXT,
  controllerId: TEXT,
  ref_agent_id: TEXT,
  refAgentId: TEXT,
  skills: TEXTS,
  rotate_token: FLAG,
  include_token: FLAG,
  [NEW_SESSION_FIELD]: FLAG,
  handoff_id: ID,
  handoffId: ID,
  lease_token: ID,
  leaseToken: ID,
  to_agent_id: ID,
  toAgentId: ID,
  to_skill: ID,
  toSkill: ID,
  to_unregistered: FLAG,
  note: TEXT,
  reason: TEXT,
};

/** Makes a method reject a request with an invalid session header or parameter before anything is read or stored. */
export function checkParameters(method: HubMethod): HubMethod {
  return {
    ...method,
    async handle(params, requestContext) {
      sessionHeader(requestContext.headers);
      requireTypes(params, PARAMETERS);
      requireTypes(metadataOf(params), SUBJECTS, 'metadata.');
      requireTypes(configurationOf(params), SUBJECTS, 'configuration.');
      requireTypes(asObject(params['message']), SUBJECTS, 'message.');
      requireOneSession(requestContext, params);
      return method.handle(params, requestContext);
    },
  };
}

function requireTypes(values: JsonObject, types: Readonly<Record<string, ParameterType>>, path = ''): void {
  for (const [name, { expected, accepts }] of Object.entries(types)) {
    const value = values[name];
    if (value === undefined || value === null || accepts(value)) continue;
    throw invalidParameter(`${path}${name}`, expected, value);
  }
}
