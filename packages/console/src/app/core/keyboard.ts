// The keyboard of the whole console. Each part that is on the page registers its shortcuts while it is shown; the newest one
// wins, so that a dialog answers before the page below it.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Shortcut {
  /** `j`, `?`, `Escape`, or two keys one after the other: `g t`. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
}

/** The shortcuts that work now, the newest part last. */
export const activeShortcuts = signal<readonly (readonly Shortcut[])[]>([]);

/** How long the first key of two waits for the second. */
const CHORD_MILLISECONDS = 1200;
let pending: { readonly key: string; readonly at: number } | undefined;

/** Registers shortcuts while the component is shown. They may change with every render. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  useEffect(() => {
    const layer = latest.current.map(({ keys, label }, index) => ({
      keys,
      label,
      run: () => latest.current[index]?.run(),
    }));
    activeShortcuts.value = [...activeShortcuts.peek(), layer];
    return () => {
      activeShortcuts.value = activeShortcuts.peek().filter((each) => each !== layer);
    };
  }, [signature]);
}

export function listenToKeyboard(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const withCommand = event.metaKey || event.ctrlKey;
    if (event.altKey || (withCommand && event.key.toLowerCase() !== 'k')) return;
    if (isTyping(event.target) && event.key !== 'Escape' && !withCommand) return;
    const key = withCommand ? 'Mod+k' : event.key;
    const now = performance.now();
    const chord =
      pending !== undefined && now - pending.at < CHORD_MILLISECONDS ? `${pending.key} ${key}` : undefined;
    pending = undefined;
    const found = (chord === undefined ? undefined : find(chord)) ?? find(key);
    if (found !== undefined) {
      event.preventDefault();
      found.run();
    } else if (isFirstOfTwo(key)) {
      pending = { key, at: now };
    }
  });
}

function find(keys: string): Shortcut | undefined {
  for (const layer of activeShortcuts.peek().toReversed()) {
    const found = layer.find((shortcut) => shortcut.keys === keys);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isFirstOfTwo(key: string): boolean {
  return activeShortcuts.peek().some((layer) => layer.some(({ keys }) => keys.startsWith(`${key} `)));
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
