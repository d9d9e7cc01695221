import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../core/resource.ts';
import { session, signIn, signInProblem } from '../core/session.ts';
import { Problem } from '../parts/basics.tsx';

export function SignInPage(): JSX.Element {
  const [credential, setCredential] = useState('');
  const action = useAction(async () => {
    await signIn(credential.trim());
  });
  const ways = session.value?.signInWith ?? [];
  return (
    <main class="alone">
      <h1>Sign in to Holdword</h1>
      {signInProblem.value !== undefined && (
        <div class="problem" role="alert">
          <p class="problem-title">{signInProblem.value}</p>
        </div>
      )}
      {ways.includes('credential') && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            action.run();
          }}
        >
          <label class="field">
            <span>API key or bearer token</span>
            <input
              type="password"
              autocomplete="off"
              required
              value={credential}
              onInput={(event) => setCredential(event.currentTarget.value)}
            />
          </label>
          {action.error !== undefined && <Problem error={action.error} />}
          <div class="actions">
            <button type="submit" class="primary" disabled={action.busy}>
              Sign in
            </button>
          </div>
          <p class="muted">
            You see what your key may see. An operator makes keys with <code>holdword keys add NAME</code>;
            with <code>--role operator</code> a key sees the tasks of all callers.
          </p>
        </form>
      )}
      {ways.includes('link') && (
        <p>
          Open the link that the server printed when it started. It works once:{' '}
          <code>holdword console link</code> prints another one.
        </p>
      )}
      {ways.length === 0 && <p>This server offers no way to sign in. Look at its log for the reason.</p>}
    </main>
  );
}
