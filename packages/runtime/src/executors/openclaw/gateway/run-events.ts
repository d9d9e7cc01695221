import { listAt, textAt, valueAt } from '../../json-value.ts';
import type { CliOutput } from '../../cli-agent/profile.ts';
import type { GatewayEvent } from './gateway-connection.ts';

/** Understands what a gateway tells of one run while it goes on. */
export class RunEvents {
  readonly #runId: string;
  #streamed = '';

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The text of the answer as far as it was given on. */
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
   * Each event has the whole text so far. Where that is not a continuation, OpenClaw has changed what it said: nothing is
   * given on then, for the final answer takes the place of all of it.
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

/** Only the name: what a tool is called with may be anybody's secret. */
function toolUse(data: unknown): CliOutput[] {
  const name = textAt(data, 'name') ?? 'of no name';
  const callId = textAt(data, 'toolCallId') ?? '';
  const phase = textAt(data, 'phase');
  if (phase === 'start') {
    return [
      {
        kind: 'status',
        text: `Using the tool ${name}.`,
        metadata: { tool: { name, callId, phase: 'start' } },
      },
    ];
  }
  if (phase !== 'result') return [];
  const failed = valueAt(data, 'isError') === true;
  const text = failed ? `The tool ${name} failed.` : `The tool ${name} has finished.`;
  return [{ kind: 'status', text, metadata: { tool: { name, callId, phase: failed ? 'error' : 'end' } } }];
}
