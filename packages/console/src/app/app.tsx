// The frame around every page: navigation, the state of the connection, the palette and the help.
import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { signedOut } from './core/api.ts';
import { useShortcuts } from './core/keyboard.ts';
import { connection } from './core/live.ts';
import { clock, switchClock, switchTheme, theme } from './core/preferences.ts';
import { address, base, hrefOf, navigate, segmentsOf } from './core/router.ts';
import { hasFeature, isOperator, session, signOut, startSession } from './core/session.ts';
import { Empty, Loading, Problem } from './parts/basics.tsx';
import { Help } from './parts/help.tsx';
import { Palette } from './parts/palette.tsx';
import { AgentPage } from './pages/agent.tsx';
import { AgentsPage } from './pages/agents.tsx';
import { HubPage } from './pages/hub.tsx';
import { OperationsPage } from './pages/operations.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { TaskPage } from './pages/task/task-page.tsx';
import { TasksPage } from './pages/tasks.tsx';

interface Place {
  readonly name: string;
  readonly title: string;
  readonly keys: string;
  readonly shown: () => boolean;
}

const PLACES: readonly Place[] = [
  { name: 'tasks', title: 'Tasks', keys: 'g t', shown: () => true },
  { name: 'agents', title: 'Agents', keys: 'g a', shown: () => true },
  { name: 'hub', title: 'Hub', keys: 'g h', shown: () => hasFeature('hub') },
  { name: 'operations', title: 'Operations', keys: 'g o', shown: isOperator },
];

export function App(): JSX.Element {
  const [error, setError] = useState<unknown>();
  const start = (): void => {
    setError(undefined);
    startSession().catch(setError);
  };
  useEffect(start, []);
  if (error !== undefined) {
    return (
      <main class="alone">
        <h1>Holdword</h1>
        <Problem error={error} retry={start} />
      </main>
    );
  }
  if (session.value === undefined) {
    return (
      <main class="alone">
        <Loading what="the console" />
      </main>
    );
  }
  if (signedOut.value || !session.value.signedIn) return <SignInPage />;
  return <Frame />;
}

function Frame(): JSX.Element {
  const [overlay, setOverlay] = useState<'palette' | 'help'>();
  const [open = 'tasks', ...rest] = segmentsOf(address.value);
  const places = PLACES.filter(({ shown }) => shown());
  const close = (): void => setOverlay(undefined);
  const go = places.map(({ name, title, keys }) => ({
    keys,
    label: `Go to ${title.toLowerCase()}`,
    run: () => navigate(hrefOf([name])),
  }));
  useShortcuts([
    ...go,
    { keys: 'Mod+k', label: 'Command palette', run: () => setOverlay('palette') },
    { keys: '?', label: 'Keyboard shortcuts', run: () => setOverlay('help') },
    { keys: 'g l', label: 'Light, dark or as the system', run: switchTheme },
    { keys: 'g u', label: 'Local time or UTC', run: switchClock },
  ]);
  useSignalEffect(() => {
    const [first = 'tasks', second] = segmentsOf(address.value);
    const title = PLACES.find(({ name }) => name === first)?.title ?? 'Not found';
    document.title = `${second === undefined ? title : `${second.slice(0, 12)} · ${title}`} · Holdword`;
  });
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <nav class="side" aria-label="Console">
        <a class="brand" href={hrefOf([])}>
          <img src={`${base.pathname}icon.svg`} width={20} height={20} alt="" />
          Holdword
        </a>
        <ul class="places">
          {places.map(({ name, title }) => (
            <li key={name}>
              <a href={hrefOf([name])} aria-current={open === name ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
        <Settings openPalette={() => setOverlay('palette')} openHelp={() => setOverlay('help')} />
      </nav>
      <ConnectionLine />
      <main id="main" class="main" tabIndex={-1}>
        <Page key={`${open}/${rest[0] ?? ''}`} open={open} rest={rest} />
      </main>
      {overlay === 'palette' && <Palette places={places} close={close} showHelp={() => setOverlay('help')} />}
      {overlay === 'help' && <Help close={close} />}
    </div>
  );
}

/** The address stays as it is: a fragment would be an entry in the history. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

function Page({ open, rest }: { open: string; rest: readonly string[] }): ComponentChildren {
  const [first, second] = rest;
  if (open === 'tasks') return first === undefined ? <TasksPage /> : <TaskPage taskId={first} />;
  if (open === 'agents') return first === undefined ? <AgentsPage /> : <AgentPage agentId={first} />;
  if (open === 'hub' && hasFeature('hub')) return <HubPage tab={first ?? 'agents'} id={second} />;
  if (open === 'operations' && isOperator()) return <OperationsPage tab={first ?? 'metrics'} />;
  return (
    <Empty isPage title="There is no such page.">
      <p>
        <a href={hrefOf(['tasks'])}>Go to the tasks</a>
      </p>
    </Empty>
  );
}

function Settings({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }): JSX.Element {
  const { user, server } = session.value ?? {};
  return (
    <div class="settings">
      <button type="button" class="quiet" onClick={openPalette}>
        Find <kbd>Ctrl K</kbd>
      </button>
      <button type="button" class="quiet" onClick={switchTheme} title="Light, dark or as the system">
        Theme: {theme.value}
      </button>
      <button type="button" class="quiet" onClick={switchClock} title="Local time or UTC">
        Time: {clock.value === 'utc' ? 'UTC' : 'local'}
      </button>
      <button type="button" class="quiet" onClick={openHelp}>
        Keys <kbd>?</kbd>
      </button>
      <p class="muted who wrap">
        {user?.name} ({user?.role})
        {server !== undefined && server !== null && (
          <span>
            {server.agent}, {server.version}
          </span>
        )}
      </p>
      <button type="button" class="quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}

/** Space is reserved for it only while it has something to say, above the page and not over it. */
function ConnectionLine(): JSX.Element {
  const lost = connection.value === 'lost';
  return (
    <div class="connection" role="status">
      {lost && (
        <p>
          <strong>The connection to the server is lost.</strong> Trying again… The page continues with the
          next event; nothing that was committed is missing afterwards.
        </p>
      )}
    </div>
  );
}
