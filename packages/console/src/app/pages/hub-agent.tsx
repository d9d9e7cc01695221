import type { JSX } from 'preact';
import { call } from '../core/api.ts';
import { visibleLine } from '../core/foreign-text.ts';
import { amount, duration } from '../core/format.ts';
import { useResource } from '../core/resource.ts';
import { hrefOf } from '../core/router.ts';
import { Ago, Badge, Facts, Id, Loading, now, Problem, Section, Time } from '../parts/basics.tsx';
import { Beats, Plot, type Point } from '../parts/plot.tsx';

const POLL = 5000;
/** How many beats of the expected cadence the row of beats shows. */
const BEATS_SHOWN = 40;

export function HubAgentView({ agentId }: { agentId: string }): JSX.Element {
  const loaded = useResource(agentId, (signal) => call('getHubAgent', { path: { agentId }, signal }), POLL);
  if (loaded.value === undefined)
    return loaded.error === undefined ? (
      <Loading what="the agent" />
    ) : (
      <Problem error={loaded.error} retry={loaded.reload} />
    );
  const { agent, series } = loaded.value;
  const times = series.samples.map(({ at }) => Date.parse(at));
  const span = (agent.cadence_seconds ?? 60) * 1000 * BEATS_SHOWN;
  const [from, to] = [now.value - span, now.value];
  const line = (field: 'errors_last_hour' | 'latency_ms_p95' | 'queue_depth'): Point[] =>
    series.samples.flatMap((sample) => {
      const value = sample[field];
      return value === null ? [] : [{ at: Date.parse(sample.at), value }];
    });
  const [first, last] = [times[0] ?? from, times.at(-1) ?? to];
  return (
    <>
      <h2 class="wrap">{visibleLine(agent.agent_name, 120)}</h2>
      <Facts
        rows={[
          ['Id', <Id key="id" id={agent.agent_id} long />],
          [
            'Status',
            <Badge key="status" tone={agent.status === 'active' ? 'green' : 'red'}>
              {agent.status}
            </Badge>,
          ],
          ['Health', agent.health],
          ['First seen', <Time key="first" at={agent.first_seen_at} />],
          ['Last seen', agent.last_seen_at === null ? 'never' : <Ago key="last" at={agent.last_seen_at} />],
          [
            'Cadence',
            agent.cadence_seconds === null ? 'not known' : `every ${duration(agent.cadence_seconds * 1000)}`,
          ],
          [
            'Missing',
            agent.missing_at === null ? 'not watched' : <Ago key="missing" at={agent.missing_at} />,
          ],
          [
            'Registered by',
            agent.registered_by === null ? 'no credential' : visibleLine(agent.registered_by, 80),
          ],
          ['Controller', agent.controller_id === null ? 'none' : visibleLine(agent.controller_id, 80)],
          ['Skills', visibleLine(agent.skills.join(', '), 400) || 'none'],
          [
            'Tasks',
            <a key="tasks" href={hrefOf(['tasks'], { agent: agent.agent_id })}>
              Show its tasks
            </a>,
          ],
        ]}
      />
      <Section title="Heartbeats">
        <Beats times={times} from={from} to={to} title="Heartbeats" />
        <p class="muted">
          The last {duration(span)}. {amount(agent.heartbeats)} in all.
        </p>
        <div class="plots">
          <Plot
            title="Errors in the last hour"
            points={line('errors_last_hour')}
            unit={amount}
            from={first}
            to={last}
          />
          <Plot
            title="Latency, p95"
            points={line('latency_ms_p95')}
            unit={(value) => `${amount(value)} ms`}
            from={first}
            to={last}
          />
          <Plot title="Queue" points={line('queue_depth')} unit={amount} from={first} to={last} />
        </div>
      </Section>
    </>
  );
}
