/** The states of 0.3 JSON with their names in 1.0. */
const STATES: Readonly<Record<string, string>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  rejected: 'TASK_STATE_REJECTED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
};

export function v03StateToCore(state: unknown): unknown {
  return STATES[String(state)] ?? `unknown state ${String(state)}`;
}

/** The states of the 0.3 protobuf by number; it spells CANCELLED with two Ls. */
const PROTO_STATES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELLED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
];

export function v03ProtoStateToCore(state: unknown): unknown {
  const name = typeof state === 'number' ? PROTO_STATES[state] : state;
  return name === 'TASK_STATE_CANCELLED' ? 'TASK_STATE_CANCELED' : name;
}
