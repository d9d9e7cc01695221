import { randomUUID } from 'node:crypto';
import type { AgentDescription, Executor, Sink, Turn } from '@parley/runtime';
import type { CallerOf } from '../auth/caller.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { Host } from '../host/host.ts';
import { sessionIdentity } from '../sessions/session-identity.ts';

export interface OpenClawExecutorOptions {
  readonly config: AccountConfig;
  readonly host: Host;
  readonly callerOf: CallerOf;
}

/** Runs turns of A2A tasks in the host. */
export class OpenClawExecutor implements Executor {
  readonly card: AgentDescription;
  readonly #options: OpenClawExecutorOptions;

  constructor(options: OpenClawExecutorOptions) {
    this.#options = options;
    const { config } = options;
    this.card = {
      name: config.label ?? 'OpenClaw',
      description: config.description ?? 'An OpenClaw agent.',
      defaultInputModes: [...config.defaultInputModes],
      defaultOutputModes: [...config.defaultOutputModes],
      skills: [...config.skills],
    };
  }

  answersDirectly(): boolean {
    return this.#options.config.agentStyle === 'hybrid';
  }

  async execute(turn: Turn, sink: Sink): Promise<void> {
    const { config, host, callerOf } = this.#options;
    const { agentId, tools } = callerOf(turn.owner);
    const said: string[] = [];
    await host.dispatch({
      accountId: config.accountId,
      agentId,
      session: sessionIdentity(config.accountId, turn.owner, turn.contextId),
      messageId: randomUUID(),
      text: turn.message.parts.map(({ text }) => text ?? '').join('\n\n'),
      context: [],
      files: [],
      tools,
      signal: turn.signal,
      onEvent: (event) => {
        if (event.kind === 'reply' && event.text !== undefined) said.push(event.text);
      },
    });
    if (turn.mayAnswerDirectly) await sink.message(said.join('\n\n'));
    else await sink.complete(said.join('\n\n'));
  }
}
