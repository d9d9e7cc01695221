// The hub: which agents are alive, who works in which session, and what is being handed over.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AlarmPage, HandoffPage, HubAgentPage, HubSessionPage } from '../../api/hub.ts';
import { call } from '../core/api.ts';
import { visibleLine } from '../core/foreign-text.ts';
import { duration } from '../core/format.ts';
import { useResource } from '../core/resource.ts';
import { address, hrefOf } from '../core/router.ts';
import { Ago, Badge, Empty, Id, Loading, Problem, Tabs, Time } from '../parts/basics.tsx';
import { HandoffView } from './handoff.tsx';
import { HubAgentView } from './hub-agent.tsx';

const POLL = 5000;
const TABS = [
  { name: 'agents', title: 'Agents' },
  { name: 'sessions', title: 'Sessions' },
  { name: 'handoffs', title: 'Hand-offs' },
  { name: 'alarms', title: 'Alarms' },
] as const;

const HEALTH_TONES: Readonly<Record<string, string>> = {
  steady: 'green',
  incident: 'amber',
  missing: 'red',
  unknown: 'gray',
};
const HANDOFF_TONES: Readonly<Record<string, string>> = {
  offered: 'amber',
  claimed: 'blue',
  acknowledged: 'blue',
  finished: 'green',
  expired: 'red',
};

export function HubPage({ tab, id }: { tab: string; id: string | undefined }): JSX.Element {
  return (
    <div class="page">
      <header class="page-head">
        <h1>Hub</h1>
      </header>
      <Tabs
        label="Hub"
        open={tab}
        tabs={TABS.map(({ name, title }) => ({ name, title, href: hrefOf(['hub', name]) }))}
      />
      {tab === 'agents' && (id === undefined ? <Agents /> : <HubAgentView agentId={id} />)}
      {tab === 'sessions' && <Sessions />}
      {tab === 'handoffs' && (id === undefined ? <Handoffs /> : <HandoffView handoffId={id} />)}
      {tab === 'alarms' && <Alarms />}
    </div>
  );
}

interface Listed {
  readonly nextCursor: string | null;
}

/** A list that is read page by page and kept up to date while its first page is shown. */
function Pages<Page extends Listed>({
  what,
  read,
  rows,
  columns,
  empty,
}: {
  what: string;
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>;
  rows: (page: Page) => readonly ComponentChildren[];
  columns: readonly string[];
  empty: ComponentChildren;
}): JSX.Element {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const page = useResource(`${what} ${cursor ?? ''}`, (signal) => read(cursor, signal), POLL);
  if (page.value === undefined)
    return page.error === undefined ? (
      <Loading what={what} />
    ) : (
      <Problem error={page.error} retry={page.reload} />
    );
  const shown = rows(page.value);
  const { nextCursor } = page.value;
  if (shown.length === 0 && cursors.length === 0) return <>{empty}</>;
  return (
    <>
      <div class="table-scroll" tabIndex={0} role="group" aria-label={what}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>{shown}</tbody>
        </table>
      </div>
      {(nextCursor !== null || cursors.length > 0) && (
        <div class="actions">
          <button
            type="button"
            disabled={cursors.length === 0}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Newer
          </button>
          <button
            type="button"
            disabled={nextCursor === null}
            onClick={() => nextCursor !== null && setCursors([...cursors, nextCursor])}
          >
            Older
          </button>
        </div>
      )}
    </>
  );
}

function AgentLink({ id, name }: { id: string; name?: string }): JSX.Element {
  return <a href={hrefOf(['hub', 'agents', id])}>{visibleLine(name ?? id, 60)}</a>;
}

function Agents(): JSX.Element {
  const health = address.value.query.get('health') ?? undefined;
  return (
    <>
      <div class="chips filters" role="group" aria-label="Health">
        {Object.keys(HEALTH_TONES).map((name) => (
          <a
            key={name}
            class="button chip"
            href={hrefOf(['hub', 'agents'], { health: health === name ? undefined : name })}
            aria-current={health === name ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </div>
      <Pages<HubAgentPage>
        key={health ?? ''}
        what="agents"
        columns={[
          'Agent',
          'Health',
          'Last seen',
          'Cadence',
          'Heartbeats',
          'Errors/h',
          'p95',
          'Queue',
          'Skills',
        ]}
        read={(cursor, signal) => call('listHubAgents', { query: { cursor, health }, signal })}
        rows={({ agents }) =>
          agents.map((agent) => (
            <tr key={agent.agent_id}>
              <td class="wrap">
                <AgentLink id={agent.agent_id} name={agent.agent_name} />
                {agent.status !== 'active' && <Badge tone="red">{agent.status}</Badge>}
              </td>
              <td>
                <Badge tone={HEALTH_TONES[agent.health] ?? 'gray'}>{agent.health}</Badge>
              </td>
              <td>{agent.last_seen_at === null ? '–' : <Ago at={agent.last_seen_at} />}</td>
              <td class="numeric">
                {agent.cadence_seconds === null ? '–' : `every ${duration(agent.cadence_seconds * 1000)}`}
              </td>
              <td class="numeric">{agent.heartbeats}</td>
              <Metrics agent={agent} />
              <td class="wrap">{visibleLine(agent.skills.join(', '), 120)}</td>
            </tr>
          ))
        }
        empty={
          <Empty title={health === undefined ? 'No agent has registered yet.' : 'No agent with this health.'}>
            <p>
              An agent registers with <code>agents/register</code>, and says that it is alive with heartbeats.
            </p>
          </Empty>
        }
      />
    </>
  );
}

function Metrics({ agent }: { agent: HubAgentPage['agents'][number] }): JSX.Element {
  const { errors_last_hour: errors, latency_ms_p95: latency, queue_depth: queue } = agent;
  return (
    <>
      {[errors, latency, queue].map((value, index) => (
        <td key={index} class="numeric">
          {value ?? '–'}
        </td>
      ))}
    </>
  );
}

function Sessions(): JSX.Element {
  const tones = { active: 'green', idle: 'gray', expired: 'gray' } as const;
  return (
    <Pages<HubSessionPage>
      what="sessions"
      columns={['Session', 'Agent', 'Status', 'Started', 'Last used', 'Expires', 'Tasks']}
      read={(cursor, signal) => call('listHubSessions', { query: { cursor }, signal })}
      rows={({ sessions }) =>
        sessions.map((session) => (
          <tr key={session.session_id}>
            <td>
              <Id id={session.session_id} />
            </td>
            <td class="wrap">
              <AgentLink id={session.agent_id} />
            </td>
            <td>
              <Badge tone={tones[session.status]}>{session.status}</Badge>
            </td>
            <td>
              <Time at={session.started_at} />
            </td>
            <td>
              <Ago at={session.last_used_at} />
            </td>
            <td>
              <Time at={session.expires_at} />
            </td>
            <td>
              <a href={hrefOf(['tasks'], { context: session.session_id })}>Show</a>
            </td>
          </tr>
        ))
      }
      empty={
        <Empty title="No session yet.">
          <p>A session begins with the first message of an agent to the hub.</p>
        </Empty>
      }
    />
  );
}

function Handoffs(): JSX.Element {
  const open = address.value.query.get('status') !== 'all';
  return (
    <>
      <div class="chips filters" role="group" aria-label="Status">
        <a class="button chip" href={hrefOf(['hub', 'handoffs'])} aria-current={open ? 'true' : undefined}>
          open
        </a>
        <a
          class="button chip"
          href={hrefOf(['hub', 'handoffs'], { status: 'all' })}
          aria-current={open ? undefined : 'true'}
        >
          all
        </a>
      </div>
      <Pages<HandoffPage>
        key={String(open)}
        what="hand-offs"
        columns={['Hand-off', 'Status', 'From', 'Held by', 'Task', 'Offered', 'Expires']}
        read={(cursor, signal) =>
          call('listHandoffs', { query: { cursor, status: open ? 'open' : undefined }, signal })
        }
        rows={({ handoffs }) =>
          handoffs.map((handoff) => (
            <tr key={handoff.handoff_id}>
              <td>
                <a class="mono" href={hrefOf(['hub', 'handoffs', handoff.handoff_id])}>
                  {visibleLine(handoff.handoff_id, 24)}
                </a>
              </td>
              <td>
                <Badge tone={HANDOFF_TONES[handoff.status] ?? 'gray'}>{handoff.status}</Badge>
              </td>
              <td class="wrap">
                <AgentLink id={handoff.offered_by} />
              </td>
              <td class="wrap">{handoff.lease === null ? '–' : <AgentLink id={handoff.lease.agent_id} />}</td>
              <td>
                <a class="mono" href={hrefOf(['tasks', handoff.task_id])}>
                  {visibleLine(handoff.task_id, 13)}
                </a>
              </td>
              <td>
                <Ago at={handoff.created_at} />
              </td>
              <td>
                <Ago at={handoff.expires_at} />
              </td>
            </tr>
          ))
        }
        empty={
          <Empty title={open ? 'Nothing waits for a successor.' : 'Nothing was handed over yet.'}>
            <p>
              An agent offers a task with <code>handoff/offer</code>; the hub offers the tasks of agents that
              are missing.
            </p>
          </Empty>
        }
      />
    </>
  );
}

function Alarms(): JSX.Element {
  return (
    <Pages<AlarmPage>
      what="alarms"
      columns={['Noticed', 'Agent', 'What', 'Last seen', 'Returned', 'Webhook', 'Hand-offs']}
      read={(cursor, signal) => call('listAlarms', { query: { cursor }, signal })}
      rows={({ alarms }) =>
        alarms.map((alarm) => (
          <tr key={alarm.alarm_id}>
            <td>
              <Time at={alarm.noticed_at} />
            </td>
            <td class="wrap">
              <AgentLink id={alarm.agent_id} />
            </td>
            <td>
              <Badge tone={alarm.type === 'agent.returned' ? 'green' : 'red'}>
                {alarm.type === 'agent.returned' ? 'returned' : 'missing'}
              </Badge>
            </td>
            <td>
              <Time at={alarm.last_seen_at} />
            </td>
            <td>{alarm.returned_at === null ? '–' : <Time at={alarm.returned_at} />}</td>
            <td>{alarm.delivery}</td>
            <td class="wrap">
              {alarm.handoff_ids.map((id) => (
                <a key={id} href={hrefOf(['hub', 'handoffs', id])}>
                  {visibleLine(id, 13)}{' '}
                </a>
              ))}
            </td>
          </tr>
        ))
      }
      empty={
        <Empty title="No alarms.">
          <p>An alarm is raised when an agent misses two heartbeats in a row.</p>
        </Empty>
      }
    />
  );
}
