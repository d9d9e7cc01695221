import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { canForkAt, summaryOf } from '../../core/event-summary.ts';
import { visibleLine } from '../../core/foreign-text.ts';
import { hasFeature } from '../../core/session.ts';
import type { TaskModel } from '../../core/task-model.ts';
import { Loading, Time } from '../../parts/basics.tsx';
import { JsonTree } from '../../parts/json-tree.tsx';

/** One event of the journal, whole. */
export function EventDetail({
  model,
  sequence,
  fork,
}: {
  model: TaskModel;
  sequence: number;
  fork: (sequence: number) => void;
}): JSX.Element {
  void model.version.value;
  const event = model.events.get(sequence);
  useEffect(() => model.events.need(sequence, sequence), [model, sequence]);
  if (event === undefined) return <Loading what={`event ${sequence}`} />;
  const { title, at, state } = summaryOf(event);
  return (
    <article aria-label={`Event ${sequence}`}>
      <header class="section-head">
        <h3 class="wrap">
          #{sequence} {visibleLine(title, 120)} {at !== undefined && <Time at={at} precise />}
        </h3>
        {hasFeature('fork') && canForkAt(state) && (
          <button type="button" class="small" onClick={() => fork(sequence)}>
            Fork here…
          </button>
        )}
      </header>
      {event.input !== null && (
        <>
          <p class="muted">The message that began this turn:</p>
          <JsonTree value={event.input} />
        </>
      )}
      <JsonTree value={event.event} />
    </article>
  );
}
