// Follows a stream of the server for as long as something on the page needs it. The browser's own reconnecting ends at the
// first answer that is an error, such as that of a proxy while the server restarts; this one goes on until it is told to stop.
import { signal } from '@preact/signals';
import { signedOut } from './api.ts';

export type Connection = 'connecting' | 'live' | 'lost';

/** The state of all streams of the page, for the line on top of it. */
export const connection = signal<Connection>('connecting');

const FIRST_DELAY = 400;
const LONGEST_DELAY = 8000;
/** What the server sends at least once in a while; a connection that is silent for longer is dead. */
const LONGEST_SILENCE = 45_000;

export interface Followed {
  /** The address to connect to; asked again for every attempt, so that it can name the last event that was seen. */
  readonly url: () => string;
  readonly receive: (data: unknown) => void;
  /** Whether there is nothing more to come once the server has closed the stream. */
  readonly isOver?: (() => boolean) | undefined;
  /** After a connection that was lost is there again. */
  readonly resumed?: (() => void) | undefined;
}

/** Follows a stream until the function that it returns is called. */
export function follow({ url, receive, isOver, resumed }: Followed): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [attempts, stopped, wasLost] = [0, false, false];

  const connect = (): void => {
    if (stopped) return;
    const own = new EventSource(url());
    source = own;
    let heardAt = performance.now();
    // One timer, however many events arrive.
    const watch = (): void => {
      const silence = performance.now() - heardAt;
      if (silence >= LONGEST_SILENCE) lose();
      else timer = setTimeout(watch, LONGEST_SILENCE - silence);
    };
    const hear = (): void => {
      heardAt = performance.now();
    };
    const lose = (): void => {
      if (source !== own) return;
      own.close();
      source = undefined;
      clearTimeout(timer);
      if (stopped || isOver?.() === true || signedOut.peek()) return;
      wasLost = true;
      connection.value = 'lost';
      const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempts) * (0.75 + Math.random() / 2);
      attempts += 1;
      timer = setTimeout(connect, delay);
    };
    own.addEventListener('open', () => {
      attempts = 0;
      connection.value = 'live';
      clearTimeout(timer);
      hear();
      watch();
      if (wasLost) resumed?.();
      wasLost = false;
    });
    own.addEventListener('message', (event) => {
      hear();
      receive(JSON.parse(String(event.data)));
    });
    own.addEventListener('ping', hear);
    own.addEventListener('error', lose);
  };

  const retryNow = (): void => {
    if (source !== undefined || stopped) return;
    clearTimeout(timer);
    connect();
  };
  window.addEventListener('online', retryNow);
  connect();
  return () => {
    stopped = true;
    window.removeEventListener('online', retryNow);
    clearTimeout(timer);
    source?.close();
  };
}
