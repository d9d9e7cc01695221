import { createGuardedClient } from '@holdword/net/internal';
import { findAgent, openAgent, type CalledAgent, type NamedCard } from '../calling/called-agent.ts';
import type { CallSettings } from '../calling/call-settings.ts';
import { Diagnostics } from '../calling/diagnostics.ts';
import { readReference, type CardReference } from '../calling/find-card.ts';
import type { CommandInput } from '../command-line/command.ts';

const PROBE_MILLISECONDS = 10_000;
const MOST_BYTES = 1024 * 1024;

/** An answer with what a check wants to know of it. */
export interface Probe {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly receivedAt: number;
}

/** The agent that is examined, and what is known of it so far. Nothing is fetched twice, nothing before it is needed. */
export class AgentSubject {
  readonly input: CommandInput;
  readonly settings: CallSettings;
  readonly signal: AbortSignal;
  /** What `-a` says. */
  readonly reference: string;
  readonly named: CardReference;
  #probe: Promise<Probe> | undefined;
  #card: Promise<NamedCard> | undefined;
  #agent: Promise<CalledAgent> | undefined;

  constructor(input: CommandInput, settings: CallSettings, signal: AbortSignal) {
    this.input = input;
    this.settings = settings;
    this.signal = signal;
    this.reference = settings.text('agent-card') ?? '';
    this.named = readReference(settings.named?.url ?? this.reference, input.workingFolder);
  }

  /** The address of the card; undefined if it is a file. */
  get url(): URL | undefined {
    return 'url' in this.named ? this.named.url : undefined;
  }

  /** The answer to a request for the card. Rejects with the error of the system. */
  probe(url: URL): Promise<Probe> {
    this.#probe ??= requestOnce(url, this.signal);
    // Several checks ask for it; the first one reports it.
    this.#probe.catch(() => {});
    return this.#probe;
  }

  card(): Promise<NamedCard> {
    return (this.#card ??= findAgent(this.settings, this.input, this.#silent(), this.signal));
  }

  /** The agent as commands call it, with the credentials that they would send. */
  agent(): Promise<CalledAgent> {
    return (this.#agent ??= this.card().then((card) =>
      openAgent(card, this.settings, this.#silent(), this.input, this.signal),
    ));
  }

  /** What commands would say goes into the findings. */
  #silent(): Diagnostics {
    return new Diagnostics({ ...this.input.terminal, error: () => {} }, this.settings);
  }

  async close(): Promise<void> {
    (await this.#agent?.catch(() => undefined))?.[Symbol.dispose]();
  }
}

/** The error of the system says what is wrong with the address, so it is not put into other words. */
async function requestOnce(url: URL, signal: AbortSignal): Promise<Probe> {
  const client = createGuardedClient({ trustedOrigins: [url.origin] });
  try {
    const answer = await client.send({
      url: url.href,
      method: 'GET',
      headers: { Accept: 'application/json', 'A2A-Version': '1.0' },
      body: '',
      timeoutMilliseconds: PROBE_MILLISECONDS,
      maxResponseBytes: MOST_BYTES,
      signal,
    });
    return { ...answer, receivedAt: Date.now() };
  } finally {
    client.close();
  }
}
