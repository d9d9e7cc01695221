// The list of tasks: live, filtered by the address, worked through with the keyboard.
import type { JSX } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { QueryOf } from '../../api/endpoints.ts';
import type { TaskChange, TaskRow } from '../../api/tasks.ts';
import { call, urlOf } from '../core/api.ts';
import { visibleLine } from '../core/foreign-text.ts';
import { amount, counted, duration, shortId } from '../core/format.ts';
import { useShortcuts } from '../core/keyboard.ts';
import { follow } from '../core/live.ts';
import { useAction } from '../core/resource.ts';
import { address, hrefOf, navigate } from '../core/router.ts';
import { hasFeature, isOperator } from '../core/session.ts';
import { TaskList } from '../core/task-list.ts';
import { Empty, Loading, now, Problem, State, Time } from '../parts/basics.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { VirtualRows } from '../parts/virtual-rows.tsx';
import { TaskFilters, filterIn, hasFilter } from './task-filters.tsx';
import { SendDialog } from './task/send-dialog.tsx';

const ENDED = /COMPLETED|FAILED|CANCELED|REJECTED/;
const WIDE_ROW = 36;
const NARROW_ROW = 62;
const narrow = window.matchMedia('(max-width: 720px)');

export function TasksPage(): JSX.Element {
  const { query } = address.value;
  const filter = filterIn(query);
  const key = JSON.stringify(filter);
  const { list, atTop } = useTaskList(filter, key);
  const [selected, setSelected] = useState(-1);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'cancel' | 'send'>();
  const rowHeight = narrow.matches ? NARROW_ROW : WIDE_ROW;
  useEffect(() => {
    setSelected(-1);
    setMarked(new Set());
  }, [key]);

  const move = (by: number): void =>
    setSelected((index) => Math.min(list.length - 1, Math.max(0, index + by)));
  const chosen = selected === -1 ? undefined : list.row(selected);
  const toggle = (id: string): void =>
    setMarked(
      (before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
    );
  useShortcuts([
    { keys: 'j', label: 'Next task', run: () => move(1) },
    { keys: 'k', label: 'Previous task', run: () => move(-1) },
    {
      keys: 'Enter',
      label: 'Open the task',
      run: () => chosen !== undefined && navigate(hrefOf(['tasks', chosen.id])),
    },
    { keys: 'x', label: 'Mark the task', run: () => chosen !== undefined && toggle(chosen.id) },
    {
      keys: '/',
      label: 'Search',
      run: () => document.querySelector<HTMLInputElement>('#task-search')?.focus(),
    },
    { keys: 'n', label: 'New task', run: () => setDialog('send') },
    { keys: 'Escape', label: 'Unmark all', run: () => setMarked(new Set()) },
  ]);

  const open =
    marked.size === 0 ? [] : list.loaded().filter(({ id, state }) => marked.has(id) && !ENDED.test(state));
  const [outcome, setOutcome] = useState<string>();
  const cancel = useAction(async () => {
    const { results } = await call('cancelTasks', { body: { ids: open.map(({ id }) => id) } });
    const failed = results.filter(({ outcome: each }) => each === 'failed' || each === 'not-found');
    const canceled = results.filter(({ outcome: each }) => each === 'canceled').length;
    setOutcome(
      `${counted(canceled, 'task')} canceled.` +
        (failed.length === 0
          ? ''
          : ` ${counted(failed.length, 'task')} could not be canceled: ${failed[0]?.message ?? 'not found'}`),
    );
    setMarked(new Set());
  });

  return (
    <div class="page fill">
      <header class="page-head">
        <h1>Tasks</h1>
        <span class="muted" aria-live="polite">
          {list.total === null ? '' : counted(list.total, 'task')}
        </span>
        <div class="actions">
          {marked.size > 0 && (
            <button
              type="button"
              class="danger"
              disabled={open.length === 0}
              onClick={() => setDialog('cancel')}
            >
              Cancel {open.length === 0 ? 'none: they have ended' : counted(open.length, 'task')}
            </button>
          )}
          <button type="button" class="primary" onClick={() => setDialog('send')}>
            New task
          </button>
        </div>
      </header>
      <TaskFilters filter={filter} />
      {outcome !== undefined && (
        <p class="note" role="status">
          {outcome}{' '}
          <button type="button" class="quiet small" onClick={() => setOutcome(undefined)}>
            Dismiss
          </button>
        </p>
      )}
      {(cancel.error ?? list.error) !== undefined && (
        <Problem error={cancel.error ?? list.error} retry={() => void list.show(0, 0)} />
      )}
      {list.waiting > 0 && (
        <button type="button" class="new-rows primary small" onClick={() => list.showWaiting()}>
          {counted(list.waiting, 'new task')}: show
        </button>
      )}
      {!list.isLoaded && list.error === undefined && <Loading what="tasks" />}
      {list.isLoaded && list.length === 0 && !list.hasMore && (
        <NoTasks filtered={hasFilter(filter)} start={() => setDialog('send')} />
      )}
      {list.length > 0 && (
        <>
          <div class="task-row task-head muted" aria-hidden="true">
            <span />
            <span>State</span>
            <span>Task</span>
            <span>Status</span>
            <span class="owner">{isOperator() ? 'Owner' : ''}</span>
            <span class="numeric">Events</span>
            <span>Created</span>
            <span>Took</span>
          </div>
          <VirtualRows
            count={list.length}
            rowHeight={rowHeight}
            label="Tasks"
            keepInView={selected}
            visible={(first, last) => {
              atTop.current = first === 0;
              void list.show(first, last);
            }}
            row={(index) => (
              <Row
                task={list.row(index)}
                selected={index === selected}
                marked={marked.has(list.row(index)?.id ?? '')}
                toggle={toggle}
              />
            )}
          />
        </>
      )}
      {list.searchedUntil !== null && list.hasMore && (
        <p class="note muted">
          {list.length === 0 ? 'No task matches so far. Searched' : 'Searched'} back to{' '}
          <Time at={list.searchedUntil} />.{' '}
          <button type="button" class="small" onClick={() => void list.show(0, list.length)}>
            Search further
          </button>
        </p>
      )}
      {dialog === 'cancel' && (
        <Confirm
          title={`Cancel ${counted(open.length, 'task')}?`}
          action={`Cancel ${counted(open.length, 'task')}`}
          run={cancel.run}
          close={() => setDialog(undefined)}
        >
          <p>
            Each agent is told to stop. A canceled task cannot be resumed; it can be sent again or forked.
          </p>
        </Confirm>
      )}
      {dialog === 'send' && <SendDialog title="New task" close={() => setDialog(undefined)} />}
    </div>
  );
}

function useTaskList(
  filter: QueryOf<'watchTasks'>,
  key: string,
): { list: TaskList; atTop: { current: boolean } } {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [generation, restart] = useReducer((count: number) => count + 1, 0);
  const atTop = useRef(true);
  const list = useMemo(() => {
    let scheduled = false;
    return new TaskList({
      read: (cursor, limit) => call('listTasks', { query: { ...filter, limit, cursor } }),
      // Many changes in one frame are one drawing.
      changed: () => {
        if (scheduled) return;
        scheduled = true;
        requestAnimationFrame(() => {
          scheduled = false;
          redraw(0);
        });
      },
    });
  }, [key, generation]);
  useEffect(() => {
    void list.show(0, 0);
    const stop = follow({
      url: () => urlOf('watchTasks', {}, filter),
      receive: (data) => {
        const change = data as TaskChange;
        if (change.type === 'reload') restart(0);
        else list.apply(change, { atTop: atTop.current });
      },
      // What changed while nobody was listening is not repeated: read the list again.
      resumed: () => restart(0),
    });
    return () => {
      stop();
      list.stop();
    };
  }, [list]);
  return { list, atTop };
}

function Row({
  task,
  selected,
  marked,
  toggle,
}: {
  task: TaskRow | undefined;
  selected: boolean;
  marked: boolean;
  toggle: (id: string) => void;
}): JSX.Element {
  if (task === undefined) return <div class="task-row placeholder" />;
  const ended = ENDED.test(task.state);
  const end = ended ? Date.parse(task.statusAt) : now.value;
  const text = visibleLine(task.statusText ?? '', 200);
  return (
    <div class={`task-row${selected ? ' selected' : ''}${marked ? ' marked' : ''}`} data-task={task.id}>
      <input
        type="checkbox"
        aria-label={`Mark task ${task.id}`}
        checked={marked}
        onChange={() => toggle(task.id)}
      />
      <span>
        <State state={task.state} />
      </span>
      <a class="mono clip" href={hrefOf(['tasks', task.id])} title={visibleLine(task.id)}>
        {shortId(visibleLine(task.id))}
      </a>
      <span class="clip status-text" title={text}>
        {text}
      </span>
      <span class="clip owner muted">
        {isOperator() && (
          <a href={hrefOf(['tasks'], { ...Object.fromEntries(address.value.query), owner: task.owner.key })}>
            {visibleLine(task.owner.caller, 60)}
          </a>
        )}
        {hasFeature('hub') && task.agent !== null && ` · ${visibleLine(task.agent, 40)}`}
      </span>
      <span class="numeric muted">{amount(task.lastSequence)}</span>
      <span class="muted">
        <Time at={task.createdAt} />
      </span>
      <span class="muted took">{duration(end - Date.parse(task.createdAt))}</span>
    </div>
  );
}

function NoTasks({ filtered, start }: { filtered: boolean; start: () => void }): JSX.Element {
  if (filtered) {
    return (
      <Empty title="No task matches these filters.">
        <p>
          <a href={hrefOf(['tasks'])}>Show all tasks</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No tasks yet.">
      <p>A task begins when somebody sends the agent a message. Send the first one from here:</p>
      <p>
        <button type="button" class="primary" onClick={start}>
          Send a message
        </button>
      </p>
      <p class="muted">
        Or from a terminal: <code>holdword send "Hello"</code>
      </p>
    </Empty>
  );
}
