/**
 * The requests that clients of such a service send, exactly as documented for them. The reader fills in what is between `<`
 * and `>`.
 */
export const CURL_COMMANDS = {
  methods: `curl -sS https://api.delx.ai/api/v1/a2a/methods`,

  register: `curl -sS https://api.delx.ai/v1/a2a \\
-H 'content-type: application/json' \\
-d '{
"jsonrpc": "2.0",
"id": "register-1",
"method": "agents/register",
"params": {
"agent_id": "runner-01",
"agent_name": "runner-01",
"source": "docs",
"controller_id": "openclaw-main"
}
}'`,

  send: `curl -sS https://api.delx.ai/v1/a2a \\
-H 'content-type: application/json' \\
-H 'x-delx-agent-id: runner-01' \\
-H 'x-delx-agent-token: <token-from-agents-register>' \\
-d '{
"jsonrpc": "2.0",
"id": 1,
"method": "message/send",
"params": {
"message": {
"role": "user",
"parts": [
{ "kind": "text", "text": "We are stuck in a retry storm (429). Need a calm next step." }
]
},
"embed_tool_schemas": "compact",
"configuration": { "contextId": "demo", "agentName": "runner-01", "sourcePlatform": "docs" },
"metadata": { "public_session": false }
}
}'`,

  heartbeat: `curl -sS https://api.delx.ai/v1/a2a \\
-H 'content-type: application/json' \\
-d '{
"jsonrpc": "2.0",
"id": 2,
"method": "heartbeat/bundle",
"params": {
"agent_id": "runner-01",
"errors_last_hour": 3,
"latency_ms_p95": 1450,
"queue_depth": 9
}
}'`,

  status: `curl -sS 'https://api.delx.ai/api/v1/status?session_id=<uuid>'`,
} as const;

/** Paths to read with GET. */
export const GET_PATHS = [
  '/api/v1/a2a/methods',
  '/api/v1/a2a-methods',
  '/spec/a2a.json',
  '/.well-known/agent-card.json',
  '/.well-known/agent.json',
  '/.well-known/a2a-agent-card.json',
  '/.well-known/a2a.json',
  '/.well-known/delx-capabilities.json',
  '/api/v1/reliability',
  '/api/v1/tools',
] as const;
