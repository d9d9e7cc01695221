// Operations: how busy the server is, where notifications are stuck, who holds keys, and what was done.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { KeyList, Series } from '../../api/operations.ts';
import { call } from '../core/api.ts';
import { visibleLine } from '../core/foreign-text.ts';
import { amount, bytes, duration } from '../core/format.ts';
import { useAction, useResource } from '../core/resource.ts';
import { address, hrefOf } from '../core/router.ts';
import { hasFeature } from '../core/session.ts';
import { Ago, Badge, Empty, Loading, now, Problem, Tabs, Time } from '../parts/basics.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { Plot, type Point } from '../parts/plot.tsx';
import { PushTargets } from './task/push-targets.tsx';

const POLL = 5000;
const TABS = [
  { name: 'metrics', title: 'Metrics', shown: () => true },
  { name: 'push', title: 'Push', shown: () => hasFeature('push') },
  { name: 'keys', title: 'Keys', shown: () => true },
  { name: 'audit', title: 'Audit', shown: () => true },
] as const;

export function OperationsPage({ tab }: { tab: string }): JSX.Element {
  return (
    <div class="page">
      <header class="page-head">
        <h1>Operations</h1>
      </header>
      <Tabs
        label="Operations"
        open={tab}
        tabs={TABS.filter(({ shown }) => shown()).map(({ name, title }) => ({
          name,
          title,
          href: hrefOf(['operations', name]),
        }))}
      />
      {tab === 'metrics' && <Metrics />}
      {tab === 'push' && <Push />}
      {tab === 'keys' && <Keys />}
      {tab === 'audit' && (hasFeature('audit') ? <AuditTail /> : <NoAudit />)}
    </div>
  );
}

type SeriesPoint = Series['points'][number];
interface PlotOf {
  readonly title: string;
  readonly value: (point: SeriesPoint, step: number) => number | null;
  readonly unit: (value: number) => string;
}

const perSecond = (value: number): string => `${value < 10 ? value.toFixed(1) : amount(Math.round(value))}/s`;
const PLOTS: readonly PlotOf[] = [
  { title: 'Requests', value: ({ requests }, step) => requests / step, unit: perSecond },
  { title: 'Errors', value: ({ errors }, step) => errors / step, unit: perSecond },
  { title: 'Request time, p95', value: (point) => point.requestMilliseconds?.p95 ?? null, unit: duration },
  { title: 'Turns ended', value: ({ turns }, step) => turns / step, unit: perSecond },
  { title: 'Turn time, p95', value: (point) => point.turnMilliseconds?.p95 ?? null, unit: duration },
  { title: 'Turns running', value: ({ runningTurns }) => runningTurns, unit: amount },
  { title: 'Turns waiting', value: ({ waitingTurns }) => waitingTurns, unit: amount },
  { title: 'Events committed', value: ({ events }, step) => events / step, unit: perSecond },
  { title: 'Commit time, p95', value: (point) => point.commitMilliseconds?.p95 ?? null, unit: duration },
  { title: 'Push waiting', value: ({ pushWaiting }) => pushWaiting, unit: amount },
  {
    title: 'Push lag',
    value: ({ pushLagSeconds }) => pushLagSeconds,
    unit: (value) => duration(value * 1000),
  },
  { title: 'Store', value: ({ storeBytes }) => storeBytes, unit: bytes },
  { title: 'Memory', value: ({ memoryBytes }) => memoryBytes, unit: bytes },
];

function Metrics(): JSX.Element {
  const window = address.value.query.get('window') === 'day' ? 'day' : 'hour';
  const series = useResource(window, (signal) => call('getSeries', { query: { window }, signal }), POLL);
  const replicas = useResource('replicas', (signal) => call('listReplicas', { signal }), POLL);
  const to = now.value;
  const from = to - (window === 'day' ? 86_400_000 : 3_600_000);
  const points = series.value?.points ?? [];
  const step = series.value?.stepSeconds ?? 1;
  return (
    <>
      <div class="chips filters" role="group" aria-label="Time shown">
        {(['hour', 'day'] as const).map((name) => (
          <a
            key={name}
            class="button chip"
            href={hrefOf(['operations', 'metrics'], { window: name === 'day' ? name : undefined })}
            aria-current={window === name ? 'true' : undefined}
          >
            last {name}
          </a>
        ))}
      </div>
      {series.error !== undefined && <Problem error={series.error} retry={series.reload} />}
      <div class="plots">
        {PLOTS.map(({ title, value, unit }) => (
          <Plot
            key={title}
            title={title}
            unit={unit}
            from={from}
            to={to}
            points={pointsOf(points, (point) => value(point, step))}
          />
        ))}
      </div>
      <p class="muted">Measured by this process since it started, and kept in its memory.</p>
      <h2>Processes</h2>
      {replicas.error !== undefined && <Problem error={replicas.error} retry={replicas.reload} />}
      <ul class="plain-list">
        {replicas.value?.replicas.map(({ process, here, alive, aliveUntil }) => (
          <li key={process} class="wrap">
            <Badge tone={alive ? 'green' : 'red'}>{alive ? 'alive' : 'gone'}</Badge>{' '}
            <span class="mono">{visibleLine(process, 80)}</span>
            {here && ' (this one)'}{' '}
            <span class="muted">
              lease ends <Ago at={aliveUntil} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function pointsOf(points: readonly SeriesPoint[], value: (point: SeriesPoint) => number | null): Point[] {
  return points.flatMap((point) => {
    const measured = value(point);
    return measured === null ? [] : [{ at: Date.parse(point.at), value: measured }];
  });
}

function Push(): JSX.Element {
  const targets = useResource(
    'push',
    (signal) => call('listPushTargets', { query: { limit: 200 }, signal }),
    POLL,
  );
  const dead = targets.value?.targets.filter(({ state }) => state === 'dead') ?? [];
  const replay = useAction(async () => {
    await call('replayPush', { body: {} });
    targets.reload();
  });
  if (targets.value === undefined)
    return targets.error === undefined ? (
      <Loading what="push targets" />
    ) : (
      <Problem error={targets.error} retry={targets.reload} />
    );
  if (targets.value.targets.length === 0) {
    return (
      <Empty title="No task has push notifications.">
        <p>A client asks for them with CreateTaskPushNotificationConfig, or with its message.</p>
      </Empty>
    );
  }
  return (
    <>
      {dead.length > 0 && (
        <p class="note">
          Notifications to {dead.length === 1 ? 'one target were' : `${dead.length} targets were`} abandoned.{' '}
          <button type="button" class="small" disabled={replay.busy} onClick={replay.run}>
            Retry all
          </button>
        </p>
      )}
      {replay.error !== undefined && <Problem error={replay.error} />}
      <PushTargets targets={targets.value.targets} changed={targets.reload} withTask />
    </>
  );
}

function Keys(): JSX.Element {
  const keys = useResource('keys', (signal) => call('listKeys', { signal }));
  const [revoked, setRevoked] = useState<KeyList['keys'][number]>();
  const revoke = useAction(async () => {
    if (revoked === undefined) return;
    await call('revokeKey', { path: { name: revoked.name } });
    keys.reload();
  });
  if (keys.value === undefined)
    return keys.error === undefined ? (
      <Loading what="keys" />
    ) : (
      <Problem error={keys.error} retry={keys.reload} />
    );
  if (keys.value.keys.length === 0) {
    return (
      <Empty title="There are no API keys.">
        <p>
          Make one with <code>holdword keys add NAME</code>. Its secret is shown once, in the terminal.
        </p>
      </Empty>
    );
  }
  return (
    <>
      {revoke.error !== undefined && <Problem error={revoke.error} />}
      <div class="table-scroll" tabIndex={0} role="group" aria-label="Keys">
        <table>
          <thead>
            <tr>
              {['Name', 'Id', 'Role', 'Created', 'Expires', ''].map((name) => (
                <th key={name}>{name === '' ? <span class="hidden-visually">Actions</span> : name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keys.value.keys.map((key) => (
              <tr key={key.id}>
                <td class="wrap">{visibleLine(key.name, 80)}</td>
                <td class="mono">{visibleLine(key.id, 20)}</td>
                <td>
                  <Badge tone={key.role === 'operator' ? 'violet' : 'gray'}>{key.role}</Badge>
                </td>
                <td>
                  <Time at={key.createdAt} />
                </td>
                <td>{key.expiresAt === null ? 'never' : <Time at={key.expiresAt} />}</td>
                <td>
                  <button type="button" class="danger small" onClick={() => setRevoked(key)}>
                    Revoke
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {revoked !== undefined && (
        <Confirm
          title={`Revoke ${visibleLine(revoked.name, 80)}?`}
          action="Revoke the key"
          run={revoke.run}
          close={() => setRevoked(undefined)}
        >
          <p>
            Requests with this key fail from now on. Its tasks stay.
            {revoked.own && ' It is the key of this session: you will be signed out.'}
          </p>
        </Confirm>
      )}
    </>
  );
}

function AuditTail(): JSX.Element {
  const audit = useResource('audit', (signal) => call('getAudit', { query: { limit: 200 }, signal }), POLL);
  if (audit.value === undefined)
    return audit.error === undefined ? (
      <Loading what="the audit log" />
    ) : (
      <Problem error={audit.error} retry={audit.reload} />
    );
  if (audit.value.lines.length === 0) return <Empty title="Nothing was audited yet." />;
  return (
    <ul class="plain-list audit">
      {audit.value.lines.map((line, index) => (
        <li key={index}>
          <details>
            <summary class="wrap">{auditLine(line)}</summary>
            <JsonTree value={line} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function NoAudit(): JSX.Element {
  return (
    <Empty title="This server writes no audit log.">
      <p>
        The setting <code>audit.enabled</code> turns it on.
      </p>
    </Empty>
  );
}

/** The values of a line in short, the time first. */
function auditLine(line: Record<string, unknown>): JSX.Element {
  const { time, at, ...rest } = line;
  const moment = typeof time === 'string' ? time : typeof at === 'string' ? at : undefined;
  const text = Object.entries(rest)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(' · ');
  return (
    <>
      {moment !== undefined && <Time at={moment} />} <span class="mono">{visibleLine(text, 240)}</span>
    </>
  );
}
