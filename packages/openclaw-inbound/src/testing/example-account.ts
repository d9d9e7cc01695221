/**
 * The example in the README of `@aramisfa/openclaw-a2a-inbound`, key by key, because users have such configurations. Only the
 * task folder differs.
 */
export function exampleAccount(folder: string) {
  return {
    enabled: true,
    label: 'Primary A2A Endpoint',
    publicBaseUrl: 'https://agents.example.com',
    defaultAgentId: 'main',
    agentCardPath: '/.well-known/agent-card.json',
    jsonRpcPath: '/a2a/jsonrpc',
    maxBodyBytes: 1_048_576,
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json'],
    agentStyle: 'hybrid',
    taskStore: { kind: 'json-file', path: folder },
    skills: [{ id: 'chat', name: 'Chat' }],
  };
}
