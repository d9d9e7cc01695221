import { listAt, textAt, valueAt } from '../../json-value.ts';
import type { CliOutput } from '../../cli-agent/profile.ts';
import type { GatewayEvent } from './gateway-connection.ts';

/** Reads the events of a run while it is running. */
export class RunEvents {
  readonly #runId: string;
  #streamed = '';

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The text of the answer that was passed on so far. */
  get streamed(): string {
    return this.#streamed;
  }

  read({ name, payload }: GatewayEvent): CliOutput[] {
    if (textAt(payload, 'runId') !== this.#runId) return [];
    if (name === 'chat' && textAt(payload, 'state') === 'delta') return this.#more(payload);
    if (name === 'agent' && textAt(payload, 'stream') === 'tool') return toolUse(valueAt(payload, 'data'));
    return [];
  }

  /**
   * Each event has the whole text so far. If it is not a continuation, OpenClaw has changed its text: then nothing is passed
   * on, and the final answer replaces everything.
   */
  #more(payload: unknown): CliOutput[] {
    const whole = listAt(payload, 'message', 'content')
      .map((block) => textAt(block, 'text') ?? '')
      .join('');
    if (!whole.startsWith(this.#streamed) || whole === this.#streamed) return [];
    const text = whole.slice(this.#streamed.length);
    this.#streamed = whole;
    return [{ kind: 'text', text }];
  }
}

/** Only the name: the arguments of a tool may contain secrets. */
function toolUse(data: unknown): CliOutput[] {
  const name = textAt(data, 'name') ?? 'without a name';
  const callId = textAt(data, 'toolCallId') ?? '';
  const phase = textAt(data, 'phase');
  if (phase === 'start') {
    return [
      {
        kind: 'status',
        text: `Using tool ${name}.`,
        metadata: { tool: { name, callId, phase: 'start' } },
      },
    ];
  }
  if (phase !== 'result') return [];
  const failed = valueAt(data, 'isError') === true;
  const text = failed ? `Tool ${name} failed.` : `Tool ${name} finished.`;
  return [{ kind: 'status', text, metadata: { tool: { name, callId, phase: failed ? 'error' : 'end' } } }];
}
