import { A2AError, type StreamResponse } from '@holdword/protocol';
import { coreStreamResponseToV03, type V03Event } from '@holdword/protocol/legacy';

export interface EventLogLimits {
  /** Of the events that are kept; of more, the first and the last ones are. */
  readonly keptCharacters: number;
  /** Of all events: an agent that sends more is not listened to any longer. */
  readonly allCharacters: number;
}

/** Says how many events are left out in its place. */
export interface OmittedEvents {
  readonly kind: 'omitted';
  readonly count: number;
}

interface Logged {
  readonly event: V03Event;
  readonly characters: number;
}

/**
 * The events of one call, in the form of A2A 0.3.
 *
 * Responsible for a bounded memory however long a stream is, and for counting an event once that an agent sends again
 * when it is subscribed to.
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

  /** Says whether it was a new one. Throws an A2AError when there were too many. */
  add(response: StreamResponse): boolean {
    const event = coreStreamResponseToV03(response, 'plain');
    const json = JSON.stringify(event);
    this.#allCharacters += json.length;
    if (this.#allCharacters > this.#limits.allCharacters) {
      throw new A2AError(
        'INVALID_AGENT_RESPONSE',
        `The agent sent more than ${this.#limits.allCharacters} characters of events. The call was ended.`,
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
