/** For Holdword's own packages, not covered by semver: settings and their defaults, without the code that they configure. */
export { AGENT_KINDS, findAgentKind } from './agents/agent-kinds.ts';
export {
  DEFAULT_GRACE_MILLISECONDS,
  DEFAULT_HOST,
  DEFAULT_LIMITS,
  DEFAULT_MINIMUM_FREE_BYTES,
  DEFAULT_PORT,
  DEFAULT_PUSH_OPTIONS,
  DEFAULT_RUNTIME_OPTIONS,
  DEFAULT_V03_BLOCKING,
  DEFAULT_WAIT_MILLISECONDS,
  DEFAULT_WORKER_LEASE_MILLISECONDS,
} from './defaults.ts';
export {
  ANY_ORIGIN,
  flag,
  integer,
  listOf,
  origin,
  path,
  settingDetails,
  settings,
  text,
  unwrap,
} from './settings.ts';
