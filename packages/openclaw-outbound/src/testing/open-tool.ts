import { onTestFinished } from 'vitest';
import type { RequestContinuation } from '../contract.ts';
import { readConfig } from '../config.ts';
import type { ToolResult } from '../plugin-api.ts';
import {
  createRemoteAgent,
  type ExecuteOptions,
  type RemoteAgent,
  type RemoteAgentOptions,
} from '../remote-agent.ts';

/** The result for programs. A test that reads a field of the wrong variant fails. */
export interface Result {
  readonly ok: boolean;
  readonly action: string;
  readonly summary: Readonly<Record<string, unknown>> & { readonly continuation?: RequestContinuation };
  readonly raw: unknown;
  readonly raw_cut?: unknown;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

export interface ToolCallOptions extends ExecuteOptions {
  readonly toolCallId?: string;
}

export interface Tool {
  readonly agent: RemoteAgent;
  /** Calls the tool and returns the details of the result. */
  call(params: unknown, options?: ToolCallOptions): Promise<Result>;
  /** Calls the tool and returns the text for the model. */
  read(params: unknown): Promise<string>;
}

let calls = 0;

/** The tool with a user's configuration, closed when the test ends. */
export function openTool(config: object, options: Omit<RemoteAgentOptions, 'config'> = {}): Tool {
  const agent = createRemoteAgent({ config: readConfig({ enabled: true, ...config }), ...options });
  onTestFinished(() => agent.close());
  const execute = (params: unknown, call: ToolCallOptions = {}): Promise<ToolResult> =>
    agent.execute(call.toolCallId ?? `call-${(calls += 1)}`, params, call);
  return {
    agent,
    call: async (params, call) => (await execute(params, call)).details as Result,
    read: async (params) => (await execute(params)).content.map((each) => each.text).join('\n'),
  };
}

/** The tool with one target, `support`, which is the default. */
export function openToolFor(
  baseUrl: string,
  config: object = {},
  options: Omit<RemoteAgentOptions, 'config'> = {},
): Tool {
  return openTool({ targets: [{ alias: 'support', baseUrl, default: true }], ...config }, options);
}

export function text(content: string): { kind: 'text'; text: string }[] {
  return [{ kind: 'text', text: content }];
}
