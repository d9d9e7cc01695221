import { A2AError, type StreamResponse, type V03Event } from '@holdword/protocol';
import { coreStreamResponseToV03 } from '@holdword/protocol/internal';

export interface EventLogLimits {
  /** Characters of events to keep. Beyond that, only the first and the last events are kept. */
  readonly keptCharacters: number;
  /** Characters of all events. An agent that sends more is cut off. */
  readonly allCharacters: number;
}

/** Placeholder for events that were dropped. */
export interface OmittedEvents {
  readonly kind: 'omitted';
  readonly count: number;
}

interface Logged {
  readonly event: V03Event;
  readonly characters: number;
}

/**
 * The events of one call, in A2A 0.3 form.
 *
 * Responsible for bounded memory regardless of the stream's length, and for ignoring an event that an agent repeats after a
 * resubscribe.
 */
export class EventLog {
  readonly #limits: EventLogLimits;
  readonly #first: Logged[] = [];
  readonly #last: Logged[] = [];
  #firstCharacters = 0;
  #lastCharacters = 0;
  #allCharacters = 0;
  #omitted = 0;
  #count = 0;
  #latestJson = '';
  #latest: V03Event | undefined;

  constructor(limits: EventLogLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  get latest(): V03Event | undefined {
    return this.#latest;
  }

  /**
   * Returns whether the event is new.
   *
   * @throws A2AError `INVALID_AGENT_RESPONSE` if the agent exceeded the limit.
   */
  add(response: StreamResponse): boolean {
    const event = coreStreamResponseToV03(response, 'plain');
    const json = JSON.stringify(event);
    this.#allCharacters += json.length;
    if (this.#allCharacters > this.#limits.allCharacters) {
      throw new A2AError(
        'INVALID_AGENT_RESPONSE',
        `The agent streamed more than ${this.#limits.allCharacters} characters of events (limits.streamBytes). The call was stopped.`,
      );
    }
    if (json === this.#latestJson) return false;
    this.#latestJson = json;
    this.#latest = event;
    this.#count += 1;
    this.#keep({ event, characters: json.length });
    return true;
  }

  events(): (V03Event | OmittedEvents)[] {
    const omitted: OmittedEvents[] = this.#omitted === 0 ? [] : [{ kind: 'omitted', count: this.#omitted }];
    return [...this.#first.map(({ event }) => event), ...omitted, ...this.#last.map(({ event }) => event)];
  }

  #keep(logged: Logged): void {
    const half = this.#limits.keptCharacters / 2;
    if (this.#last.length === 0 && this.#firstCharacters + logged.characters <= half) {
      this.#first.push(logged);
      this.#firstCharacters += logged.characters;
      return;
    }
    this.#last.push(logged);
    this.#lastCharacters += logged.characters;
    while (this.#lastCharacters > half && this.#last.length > 1) {
      this.#lastCharacters -= this.#last.shift()?.characters ?? 0;
      this.#omitted += 1;
    }
  }
}
