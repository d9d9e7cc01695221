import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Resource<Value> {
  /** What was loaded last; it stays while newer data is loaded. */
  readonly value: Value | undefined;
  /** Why the last load failed. */
  readonly error: unknown;
  readonly reload: () => void;
  /** Puts in what another request has answered. */
  readonly set: (value: Value) => void;
}

/**
 * Loads something for a component: at first, whenever its key changes, and every `pollMilliseconds` while the page is visible.
 * An answer that comes after a newer one, or for another key, is dropped.
 */
export function useResource<Value>(
  key: string,
  load: (signal: AbortSignal) => Promise<Value>,
  pollMilliseconds?: number,
): Resource<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; error?: unknown }>({ key });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    const abort = new AbortController();
    latest.current(abort.signal).then(
      (value) => !abort.signal.aborted && setState({ key, value }),
      (error: unknown) =>
        !abort.signal.aborted &&
        setState((before) => (before.key === key ? { ...before, error } : { key, error })),
    );
    return () => abort.abort();
  }, [key, round]);
  useEffect(() => {
    if (pollMilliseconds === undefined) return undefined;
    const timer = setInterval(() => !document.hidden && reload(), pollMilliseconds);
    return () => clearInterval(timer);
  }, [pollMilliseconds, key]);
  const current = state.key === key ? state : { key };
  return {
    value: 'value' in current ? current.value : undefined,
    error: 'error' in current ? current.error : undefined,
    reload,
    set: (value) => setState({ key, value }),
  };
}

export interface Action {
  readonly busy: boolean;
  readonly error: unknown;
  readonly run: () => void;
}

/** Something a person starts with a button: one at a time, with its error. */
export function useAction(perform: () => Promise<void>): Action {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const run = (): void => {
    if (state.busy) return;
    setState({ busy: true });
    perform().then(
      () => setState({ busy: false }),
      (error: unknown) => setState({ busy: false, error }),
    );
  };
  return { busy: state.busy, error: state.error, run };
}
