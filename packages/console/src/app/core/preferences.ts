// How this person likes the console to look. Kept in the browser; nothing about tasks or agents is.
import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
export type Clock = 'local' | 'utc';

const THEMES = ['system', 'light', 'dark'] as const;
const CLOCKS = ['local', 'utc'] as const;

export const theme = signal<Theme>(stored('holdword-theme', THEMES));
export const clock = signal<Clock>(stored('holdword-clock', CLOCKS));

function stored<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
  try {
    const value = localStorage.getItem(name);
    return values.find((each) => each === value) ?? values[0];
  } catch {
    // A browser that keeps nothing still shows everything.
    return values[0];
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // As above.
  }
}

export function applyPreferences(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
    keep('holdword-theme', theme.value);
  });
  effect(() => keep('holdword-clock', clock.value));
}

export function switchTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
}

export function switchClock(): void {
  clock.value = clock.value === 'utc' ? 'local' : 'utc';
}
