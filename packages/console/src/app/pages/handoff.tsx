import type { JSX } from 'preact';
import { call } from '../core/api.ts';
import { visibleLine, visibleText } from '../core/foreign-text.ts';
import { useResource } from '../core/resource.ts';
import { hrefOf } from '../core/router.ts';
import { Ago, Badge, Facts, Id, Loading, Problem, Section, Time } from '../parts/basics.tsx';
import { JsonTree } from '../parts/json-tree.tsx';

const POLL = 5000;

/** A hand-off with its packet. Each fact of the packet leads to the event of the journal that it was read from. */
export function HandoffView({ handoffId }: { handoffId: string }): JSX.Element {
  const loaded = useResource(
    handoffId,
    (signal) => call('getHandoff', { path: { handoffId }, signal }),
    POLL,
  );
  if (loaded.value === undefined)
    return loaded.error === undefined ? (
      <Loading what="the hand-off" />
    ) : (
      <Problem error={loaded.error} retry={loaded.reload} />
    );
  const { handoff, packet } = loaded.value;
  return (
    <>
      <Facts
        rows={[
          ['Hand-off', <Id key="id" id={handoff.handoff_id} long />],
          [
            'Status',
            <Badge key="status" tone={handoff.status === 'finished' ? 'green' : 'amber'}>
              {handoff.status}
            </Badge>,
          ],
          [
            'Task',
            <a key="task" class="mono" href={hrefOf(['tasks', handoff.task_id])}>
              {visibleLine(handoff.task_id, 60)}
            </a>,
          ],
          ...(handoff.continued_as === null
            ? []
            : [
                [
                  'Continued as',
                  <a key="continued" class="mono" href={hrefOf(['tasks', handoff.continued_as])}>
                    {visibleLine(handoff.continued_as, 60)}
                  </a>,
                ] as const,
              ]),
          ['Offered by', <AgentLink key="offered-by" id={handoff.offered_by} />],
          ['Offered', <Time key="offered" at={handoff.created_at} />],
          ['Expires', <Ago key="expires" at={handoff.expires_at} />],
          [
            'Held by',
            handoff.lease === null ? 'nobody' : <AgentLink key="held-by" id={handoff.lease.agent_id} />,
          ],
          ...(handoff.lease === null
            ? []
            : [['Lease until', <Ago key="lease" at={handoff.lease.until} />] as const]),
          ...(handoff.note === null ? [] : [['Note', visibleLine(handoff.note, 600)] as const]),
        ]}
      />
      {handoff.refusals.length > 0 && (
        <Section title="Refusals">
          <ul class="plain-list">
            {handoff.refusals.map(({ agent_id: id, at, kind, reason }, index) => (
              <li key={index} class="wrap">
                <Time at={at} /> <AgentLink id={id} />: {visibleLine(kind, 40)}, {visibleLine(reason, 300)}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Packet">
        {typeof packet['next_agent_should_remember'] === 'string' && (
          <p class="prewrap lead">{visibleText(packet['next_agent_should_remember'].slice(0, 10_000))}</p>
        )}
        {typeof packet['exact_next_action'] === 'string' && (
          <p class="wrap">
            <strong>Next:</strong> {visibleLine(packet['exact_next_action'], 1000)}
          </p>
        )}
        {typeof packet['risk_to_watch'] === 'string' && (
          <p class="wrap">
            <strong>Risk:</strong> {visibleLine(packet['risk_to_watch'], 1000)}
          </p>
        )}
        <EvidenceLinks packet={packet} />
        <details>
          <summary>The whole packet</summary>
          <JsonTree value={packet} />
        </details>
      </Section>
    </>
  );
}

function AgentLink({ id }: { id: string }): JSX.Element {
  return <a href={hrefOf(['hub', 'agents', id])}>{visibleLine(id, 60)}</a>;
}

interface FactSource {
  readonly text: string;
  readonly taskId: string;
  readonly sequence: number;
}

function EvidenceLinks({ packet }: { packet: Record<string, unknown> }): JSX.Element | null {
  const facts = factsIn(packet['evidence']);
  if (facts.length === 0) return null;
  return (
    <>
      <h3>Evidence</h3>
      <ul class="plain-list">
        {facts.map(({ text, taskId, sequence }, index) => (
          <li key={index} class="wrap">
            <a class="mono" href={hrefOf(['tasks', taskId], { view: 'list', event: String(sequence) })}>
              #{sequence}
            </a>{' '}
            {visibleLine(text, 300)}
          </li>
        ))}
      </ul>
    </>
  );
}

const MOST_FACTS = 100;

/** Everything in the evidence that names its source, wherever it is. */
function factsIn(value: unknown, found: FactSource[] = [], depth = 0): FactSource[] {
  if (typeof value !== 'object' || value === null || depth > 6 || found.length >= MOST_FACTS) return found;
  const { source, text } = value as { source?: unknown; text?: unknown };
  if (typeof source === 'object' && source !== null && typeof text === 'string') {
    const { task_id: taskId, sequence } = source as { task_id?: unknown; sequence?: unknown };
    if (typeof taskId === 'string' && typeof sequence === 'number') found.push({ text, taskId, sequence });
  }
  for (const child of Object.values(value)) factsIn(child, found, depth + 1);
  return found;
}
