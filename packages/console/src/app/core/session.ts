// Who is signed in. The credential itself is exchanged for a cookie that scripts cannot read; nothing of it stays in the page.
import { signal } from '@preact/signals';
import type { Session } from '../../api/session.ts';
import { call, signedOut } from './api.ts';
import { problemOf } from './problem.ts';

export type Features = NonNullable<Session['features']>;

/** Undefined until the server has answered for the first time. */
export const session = signal<Session | undefined>(undefined);
export const signInProblem = signal<string | undefined>(undefined);

export function isOperator(): boolean {
  return session.value?.user?.role === 'operator';
}

export function hasFeature(name: keyof Features): boolean {
  return session.value?.features?.[name] === true;
}

/** Signs in with the one-time link, if the page was opened with one, and reads who is signed in. */
export async function startSession(): Promise<void> {
  const link = new URLSearchParams(window.location.hash.slice(1)).get('link');
  if (link !== null) {
    // Before anything else: it must not stay in the history or be sent anywhere.
    history.replaceState(null, '', window.location.pathname + window.location.search);
    try {
      accept(await call('signIn', { body: { link } }));
      return;
    } catch (error) {
      signInProblem.value = problemOf(error).title;
    }
  }
  accept(await call('getSession'));
}

/** Signs in with an API key or a bearer token. */
export async function signIn(credential: string): Promise<void> {
  signInProblem.value = undefined;
  accept(await call('signIn', { body: { credential } }));
}

export async function signOut(): Promise<void> {
  accept(await call('signOut'));
}

function accept(next: Session): void {
  signedOut.value = !next.signedIn;
  session.value = next;
}
