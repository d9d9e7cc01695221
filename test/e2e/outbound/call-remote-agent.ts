import {
  createRemoteAgent,
  readConfig,
  type ExecuteOptions,
  type RemoteAgent,
  type RemoteAgentOptions,
} from '@holdword/openclaw-a2a-outbound/internal';
import { onTestFinished } from 'vitest';

/** The result of a call, for programs and for the model. */
export interface CallResult {
  /** The result for programs. */
  readonly details: Envelope;
  readonly text: string;
  readonly milliseconds: number;
}

export interface Envelope {
  readonly ok: boolean;
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly raw?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** The tool with one target, closed when the test ends. */
export function openRemoteAgent(
  baseUrl: string,
  configuration: Readonly<Record<string, unknown>> = {},
  options: Omit<RemoteAgentOptions, 'config'> = {},
): RemoteAgent {
  const targets = [{ alias: 'peer', baseUrl, default: true }];
  const config = readConfig({ enabled: true, targets, ...configuration });
  const remoteAgent = createRemoteAgent({ config, ...options });
  onTestFinished(() => remoteAgent.close());
  return remoteAgent;
}

let calls = 0;

export async function call(
  remoteAgent: RemoteAgent,
  params: Readonly<Record<string, unknown>>,
  options: ExecuteOptions = {},
): Promise<CallResult> {
  const began = performance.now();
  const result = await remoteAgent.execute(`call-${(calls += 1)}`, params, options);
  return {
    details: result.details as Envelope,
    text: result.content.map(({ text }) => text).join('\n'),
    milliseconds: performance.now() - began,
  };
}

export function send(text: string, fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { action: 'send', parts: [{ kind: 'text', text }], ...fields };
}
