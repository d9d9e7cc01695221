import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { JournalEvent } from '../../../api/task.ts';
import { visibleLine } from '../../core/foreign-text.ts';
import { summaryOf } from '../../core/event-summary.ts';
import { useShortcuts } from '../../core/keyboard.ts';
import type { TaskModel } from '../../core/task-model.ts';
import { State, Time } from '../../parts/basics.tsx';
import { VirtualRows } from '../../parts/virtual-rows.tsx';

const ROW = 28;

/** The journal event by event, as lines for people or as the JSON that is in it. */
export function EventRows({
  model,
  raw,
  selected,
  select,
}: {
  model: TaskModel;
  raw: boolean;
  selected: number | undefined;
  select: (sequence: number) => void;
}): JSX.Element {
  void model.version.value;
  const first = model.detail.value?.firstSequence ?? 1;
  const last = model.lastSequence.value;
  const step = (by: number): void => select(Math.min(last, Math.max(first, (selected ?? first - 1) + by)));
  useShortcuts([
    { keys: 'j', label: 'Next event', run: () => step(1) },
    { keys: 'k', label: 'Previous event', run: () => step(-1) },
  ]);
  useEffect(() => {
    if (selected !== undefined) model.events.need(selected, selected);
  }, [selected]);
  return (
    <VirtualRows
      count={Math.max(0, last - first + 1)}
      rowHeight={ROW}
      label="Events"
      stickToEnd
      keepInView={selected === undefined ? undefined : selected - first}
      visible={(from, to) => model.events.need(from + first, to + first)}
      row={(index) => (
        <EventRow
          sequence={index + first}
          event={model.events.get(index + first)}
          raw={raw}
          selected={index + first === selected}
          select={select}
        />
      )}
    />
  );
}

function EventRow({
  sequence,
  event,
  raw,
  selected,
  select,
}: {
  sequence: number;
  event: JournalEvent | undefined;
  raw: boolean;
  selected: boolean;
  select: (sequence: number) => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class={`event-row${selected ? ' selected' : ''}`}
      data-sequence={sequence}
      onClick={() => select(sequence)}
    >
      <span class="mono muted numeric">{sequence}</span>
      {event === undefined ? (
        <span class="placeholder" />
      ) : raw ? (
        <RawLine event={event} />
      ) : (
        <Line event={event} />
      )}
    </button>
  );
}

function RawLine({ event }: { event: JournalEvent }): JSX.Element {
  return <code class="clip raw-line">{visibleLine(JSON.stringify(event.event), 1000)}</code>;
}

function Line({ event }: { event: JournalEvent }): JSX.Element {
  const { kind, title, text, at, state } = summaryOf(event);
  return (
    <>
      <span class="event-time muted">{at === undefined ? '' : <Time at={at} precise />}</span>
      <span class="event-title clip">
        {state === undefined || kind !== 'state' ? visibleLine(title, 80) : <State state={state} />}
        {event.takeover !== null && (
          <span class="muted">
            {' '}
            taken over by {visibleLine(event.takeover.process ?? 'another process', 60)}
          </span>
        )}
      </span>
      <span class="clip muted">{visibleLine(text, 300)}</span>
    </>
  );
}
