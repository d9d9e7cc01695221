/**
 * Every request of the console by name: verb, path below the console's API, who may send it, and what it answers. Without
 * schemas, so that the page in the browser stays small; `endpoints.ts` has the schemas of the same names.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the API of the console, with parameters in braces. */
  readonly path: `/${string}`;
  /** `anyone` needs no session, `caller` a session, `operator` the session of an operator. */
  readonly access: 'anyone' | 'caller' | 'operator';
  /** JSON, a stream of server-sent events, or the bytes of a file. */
  readonly answer: 'json' | 'events' | 'file';
}

/** Where the API is, below the path that the console is mounted at. */
export const API_PATH = '/api';

export const ROUTES = {
  getSession: { method: 'GET', path: '/session', access: 'anyone', answer: 'json' },
  signIn: { method: 'POST', path: '/session', access: 'anyone', answer: 'json' },
  signOut: { method: 'DELETE', path: '/session', access: 'anyone', answer: 'json' },

  listTasks: { method: 'GET', path: '/tasks', access: 'caller', answer: 'json' },
  watchTasks: { method: 'GET', path: '/tasks/changes', access: 'caller', answer: 'events' },
  cancelTasks: { method: 'POST', path: '/tasks/cancel', access: 'caller', answer: 'json' },

  getTask: { method: 'GET', path: '/tasks/{taskId}', access: 'caller', answer: 'json' },
  listEvents: { method: 'GET', path: '/tasks/{taskId}/events', access: 'caller', answer: 'json' },
  watchTask: { method: 'GET', path: '/tasks/{taskId}/events/stream', access: 'caller', answer: 'events' },
  getTimeline: { method: 'GET', path: '/tasks/{taskId}/timeline', access: 'caller', answer: 'json' },
  getConversation: { method: 'GET', path: '/tasks/{taskId}/conversation', access: 'caller', answer: 'json' },
  getArtifact: {
    method: 'GET',
    path: '/tasks/{taskId}/artifacts/{artifactId}',
    access: 'caller',
    answer: 'json',
  },
  getArtifactContent: {
    method: 'GET',
    path: '/tasks/{taskId}/artifacts/{artifactId}/content',
    access: 'caller',
    answer: 'file',
  },
  cancelTask: { method: 'POST', path: '/tasks/{taskId}/cancel', access: 'caller', answer: 'json' },
  forkTask: { method: 'POST', path: '/tasks/{taskId}/fork', access: 'caller', answer: 'json' },
  exportTask: { method: 'GET', path: '/tasks/{taskId}/export', access: 'caller', answer: 'file' },

  sendMessage: { method: 'POST', path: '/messages', access: 'caller', answer: 'json' },

  listAgents: { method: 'GET', path: '/agents', access: 'caller', answer: 'json' },
  getAgent: { method: 'GET', path: '/agents/{agentId}', access: 'caller', answer: 'json' },
  addAgent: { method: 'POST', path: '/agents', access: 'operator', answer: 'json' },
  removeAgent: { method: 'DELETE', path: '/agents/{agentId}', access: 'operator', answer: 'json' },
  refreshAgent: { method: 'POST', path: '/agents/{agentId}/refresh', access: 'operator', answer: 'json' },
  tryAgent: { method: 'POST', path: '/agents/{agentId}/try', access: 'operator', answer: 'json' },
  setAgentCredential: {
    method: 'POST',
    path: '/agents/{agentId}/credential',
    access: 'operator',
    answer: 'json',
  },
  removeAgentCredential: {
    method: 'DELETE',
    path: '/agents/{agentId}/credential',
    access: 'operator',
    answer: 'json',
  },

  listHubAgents: { method: 'GET', path: '/hub/agents', access: 'caller', answer: 'json' },
  getHubAgent: { method: 'GET', path: '/hub/agents/{agentId}', access: 'caller', answer: 'json' },
  listHubSessions: { method: 'GET', path: '/hub/sessions', access: 'caller', answer: 'json' },
  listHandoffs: { method: 'GET', path: '/hub/handoffs', access: 'caller', answer: 'json' },
  getHandoff: { method: 'GET', path: '/hub/handoffs/{handoffId}', access: 'caller', answer: 'json' },
  listAlarms: { method: 'GET', path: '/hub/alarms', access: 'caller', answer: 'json' },

  getSeries: { method: 'GET', path: '/operations/series', access: 'operator', answer: 'json' },
  listReplicas: { method: 'GET', path: '/operations/replicas', access: 'operator', answer: 'json' },
  listPushTargets: { method: 'GET', path: '/operations/push-targets', access: 'operator', answer: 'json' },
  replayPush: {
    method: 'POST',
    path: '/operations/push-targets/replay',
    access: 'operator',
    answer: 'json',
  },
  listKeys: { method: 'GET', path: '/operations/keys', access: 'operator', answer: 'json' },
  revokeKey: { method: 'DELETE', path: '/operations/keys/{name}', access: 'operator', answer: 'json' },
  getAudit: { method: 'GET', path: '/operations/audit', access: 'operator', answer: 'json' },

  getOpenApi: { method: 'GET', path: '/openapi.json', access: 'anyone', answer: 'json' },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/**
 * The path of a request with its parameters filled in and encoded: `pathOf('getTask', { taskId })`.
 *
 * @throws Error if a parameter is missing.
 */
export function pathOf(name: RouteName, parameters: Readonly<Record<string, string>> = {}): string {
  return ROUTES[name].path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = parameters[parameter];
    if (value === undefined) throw new Error(`${name} needs the parameter ${parameter}.`);
    return encodeURIComponent(value);
  });
}
