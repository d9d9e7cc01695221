// One task: what happened on the left, what was said on the right, and what can be done about it on top.
import type { Part } from '@holdword/protocol';
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { TaskDetail } from '../../../api/task.ts';
import type { TimelineItem } from '../../../api/timeline.ts';
import { call, urlOf } from '../../core/api.ts';
import { canForkAt } from '../../core/event-summary.ts';
import { visibleLine } from '../../core/foreign-text.ts';
import { counted, duration } from '../../core/format.ts';
import { useShortcuts } from '../../core/keyboard.ts';
import { useAction } from '../../core/resource.ts';
import { address, hrefOf, navigate, setQuery } from '../../core/router.ts';
import { hasFeature } from '../../core/session.ts';
import { TaskModel } from '../../core/task-model.ts';
import { Empty, Facts, Id, Loading, now, Problem, State, Tabs, Time } from '../../parts/basics.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { ApiError } from '../../core/problem.ts';
import { ArtifactView } from './artifact-view.tsx';
import { ConversationView } from './conversation.tsx';
import { EventDetail } from './event-detail.tsx';
import { EventRows } from './event-rows.tsx';
import { PushTargets } from './push-targets.tsx';
import { ForkDialog, SendDialog } from './send-dialog.tsx';
import { TimelineChart } from './timeline.tsx';

type View = 'timeline' | 'list' | 'raw';
const VIEWS: readonly { readonly name: View; readonly title: string }[] = [
  { name: 'timeline', title: 'Timeline' },
  { name: 'list', title: 'List' },
  { name: 'raw', title: 'Raw JSON' },
];

export function TaskPage({ taskId }: { taskId: string }): JSX.Element {
  const model = useMemo(() => new TaskModel(taskId), [taskId]);
  useEffect(() => model.start(), [model]);
  const detail = model.detail.value;
  if (detail === undefined) {
    const error = model.error.value;
    if (error === undefined) return <Loading what="the task" />;
    if (error instanceof ApiError && error.status === 404) return <NoTask />;
    return <Problem error={error} retry={() => model.retry()} />;
  }
  return <Loaded model={model} task={detail} />;
}

function NoTask(): JSX.Element {
  return (
    <Empty isPage title="There is no such task, or it belongs to somebody else.">
      <p>
        <a href={hrefOf(['tasks'])}>Go to the tasks</a>
      </p>
    </Empty>
  );
}

function Loaded({ model, task }: { model: TaskModel; task: TaskDetail }): JSX.Element {
  const { query } = address.value;
  const view = VIEWS.find(({ name }) => name === query.get('view'))?.name ?? 'timeline';
  const axis = query.get('axis') === 'events' ? 'events' : 'time';
  const selected = sequenceIn(query.get('event'));
  const artifactId = query.get('artifact');
  const version = sequenceIn(query.get('version'));
  /** On a narrow screen, what was asked for comes before the conversation. */
  const isJournalFirst = view !== 'timeline' || artifactId !== null || selected !== undefined;
  const [fork, setFork] = useState<number>();
  const items = model.items.value;
  // Drawn by what it reads itself, not with every bar of the timeline.
  const conversation = useMemo(() => <ConversationView model={model} />, [model]);
  const select = (sequence: number): void =>
    setQuery({ event: String(sequence) }, { replace: selected !== undefined });
  const selectItem = (item: TimelineItem): void =>
    setQuery(
      {
        event: String(item.firstSequence),
        artifact: item.kind === 'artifact' ? item.artifactId : undefined,
        version:
          item.kind === 'artifact' && item.version !== newestVersion(items, item.artifactId)
            ? String(item.version)
            : undefined,
      },
      { replace: selected !== undefined },
    );
  useShortcuts([
    { keys: 'u', label: 'Back to the tasks', run: () => navigate(hrefOf(['tasks'])) },
    { keys: '1', label: 'Timeline', run: () => setQuery({ view: undefined }) },
    { keys: '2', label: 'List of events', run: () => setQuery({ view: 'list' }) },
    { keys: '3', label: 'Raw JSON', run: () => setQuery({ view: 'raw' }) },
    {
      keys: 'Escape',
      label: 'Close the details',
      run: () => setQuery({ event: undefined, artifact: undefined, version: undefined }),
    },
  ]);
  const link = (changes: Record<string, string | undefined>): string =>
    hrefOf(['tasks', task.id], { ...Object.fromEntries(query), ...changes });
  return (
    <div class="page fill task-page">
      <TaskHead model={model} task={task} fork={() => setFork(model.lastSequence.peek())} />
      <div class={isJournalFirst ? 'task-columns journal-first' : 'task-columns'}>
        <div class="task-journal">
          <div class="journal-head">
            <Tabs
              label="Journal"
              open={view}
              tabs={VIEWS.map(({ name, title }) => ({
                name,
                title,
                href: link({ view: name === 'timeline' ? undefined : name }),
              }))}
            />
            <EventCount model={model} />
            {view === 'timeline' && (
              <a class="button small" href={link({ axis: axis === 'time' ? 'events' : undefined })}>
                {axis === 'time' ? 'By event' : 'By time'}
              </a>
            )}
          </div>
          {view === 'timeline' ? (
            <div class="journal-scroll" tabIndex={0} role="region" aria-label="Timeline">
              {model.isLoaded.value ? (
                <TimelineChart
                  items={items}
                  running={!model.isEnded()}
                  axis={axis}
                  selected={selected}
                  select={selectItem}
                />
              ) : (
                <Loading what="the timeline" />
              )}
              {model.omittedItems.value > 0 && (
                <p class="muted">
                  {counted(model.omittedItems.value, 'earlier item')} not drawn. The list has every event.
                </p>
              )}
              <Artifacts items={items} link={link} open={artifactId} />
              <PushTargets targets={task.pushTargets} changed={() => model.refresh()} />
            </div>
          ) : (
            <EventRows model={model} raw={view === 'raw'} selected={selected} select={select} />
          )}
          {(artifactId !== null || selected !== undefined) && (
            <aside class="details" aria-label="Details" tabIndex={0}>
              <h2 class="hidden-visually">Details</h2>
              <a
                class="button quiet small close"
                aria-label="Close the details"
                href={link({ event: undefined, artifact: undefined, version: undefined })}
              >
                ✕
              </a>
              {artifactId !== null && (
                <ArtifactView
                  key={artifactId}
                  model={model}
                  artifactId={artifactId}
                  version={version}
                  choose={(chosen) =>
                    setQuery({ version: chosen === undefined ? undefined : String(chosen) })
                  }
                />
              )}
              {selected !== undefined && <EventDetail model={model} sequence={selected} fork={setFork} />}
            </aside>
          )}
        </div>
        {conversation}
      </div>
      {fork !== undefined && <ForkDialog taskId={task.id} sequence={fork} close={() => setFork(undefined)} />}
    </div>
  );
}

/** On its own: it changes with every frame while events arrive. */
function EventCount({ model }: { model: TaskModel }): JSX.Element {
  return (
    <span class="muted" data-testid="event-count">
      {counted(model.lastSequence.value, 'event')}
    </span>
  );
}

function sequenceIn(value: string | null): number | undefined {
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function newestVersion(items: readonly TimelineItem[], artifactId: string): number {
  const versions = items.map((item) =>
    item.kind === 'artifact' && item.artifactId === artifactId ? item.version : 0,
  );
  return versions.reduce((one, other) => Math.max(one, other), 0);
}

function TaskHead({
  model,
  task,
  fork,
}: {
  model: TaskModel;
  task: TaskDetail;
  fork: () => void;
}): JSX.Element {
  const [dialog, setDialog] = useState<'cancel' | 'again' | 'continue'>();
  const cancel = useAction(async () => {
    model.detail.value = await call('cancelTask', { path: { taskId: task.id } });
    model.refresh();
  });
  const [first, setFirst] = useState<readonly Part[]>();
  /** A long conversation is not read from its beginning, where the message is. */
  const again = useAction(async () => {
    const { entries } = await call('getConversation', {
      path: { taskId: task.id },
      query: { after: 0, limit: 1 },
    });
    setFirst(entries.find(({ from }) => from === 'user')?.parts);
    setDialog('again');
  });
  const mayFork = hasFeature('fork') && canForkAt(task.state);
  useShortcuts([
    ...(task.mayCancel ? [{ keys: 'c', label: 'Cancel the task', run: () => setDialog('cancel') }] : []),
    { keys: 'e', label: 'Send again, edited', run: again.run },
    ...(mayFork ? [{ keys: 'f', label: 'Fork the task', run: fork }] : []),
  ]);
  const close = (): void => setDialog(undefined);
  const ended = model.isEnded();
  const took = (ended ? Date.parse(task.statusAt) : now.value) - Date.parse(task.createdAt);
  return (
    <header class="task-title">
      <div class="page-head">
        <h1 class="mono wrap">
          <span class="hidden-visually">Task </span>
          <Id id={task.id} />
        </h1>
        <State state={task.state} />
        <div class="actions">
          {task.mayCancel && (
            <button type="button" class="danger" disabled={cancel.busy} onClick={() => setDialog('cancel')}>
              Cancel
            </button>
          )}
          <button type="button" disabled={again.busy} onClick={again.run}>
            Send again…
          </button>
          {ended && (
            <button type="button" onClick={() => setDialog('continue')}>
              Continue…
            </button>
          )}
          {mayFork && (
            <button type="button" onClick={fork}>
              Fork…
            </button>
          )}
          {hasFeature('export') && (
            <a class="button" href={urlOf('exportTask', { taskId: task.id })} download>
              Export
            </a>
          )}
        </div>
      </div>
      <Facts
        rows={[
          ['Created', <Time key="created" at={task.createdAt} />],
          [ended ? 'Took' : 'For', duration(took)],
          ['Owner', visibleLine(task.owner.caller, 80)],
          ...(task.agent === null
            ? []
            : [
                [
                  'Agent',
                  <a key="agent" href={hrefOf(['hub', 'agents', task.agent])}>
                    {visibleLine(task.agent, 60)}
                  </a>,
                ] as const,
              ]),
          [
            'Context',
            <a key="context" href={hrefOf(['tasks'], { context: task.contextId })}>
              {visibleLine(task.contextId, 40)}
            </a>,
          ],
          ...(task.running === null
            ? []
            : [
                [
                  'Process',
                  `${visibleLine(task.running.process, 60)}${task.running.alive ? '' : ' (does not answer)'}`,
                ] as const,
              ]),
          ...task.handoffIds.map(
            (id) =>
              [
                'Hand-off',
                <a key={id} href={hrefOf(['hub', 'handoffs', id])}>
                  {visibleLine(id, 40)}
                </a>,
              ] as const,
          ),
        ]}
      />
      {cancel.error !== undefined && <Problem error={cancel.error} />}
      {again.error !== undefined && <Problem error={again.error} retry={again.run} />}
      {dialog === 'cancel' && (
        <Confirm title="Cancel this task?" action="Cancel the task" run={cancel.run} close={close}>
          <p>The agent is told to stop. What it has written stays. A canceled task cannot be resumed.</p>
        </Confirm>
      )}
      {dialog === 'again' && <SendDialog title="Send again" close={close} initial={first} again={task.id} />}
      {dialog === 'continue' && (
        <SendDialog title="Continue in this context" close={close} contextId={task.contextId} />
      )}
    </header>
  );
}

function Artifacts({
  items,
  link,
  open,
}: {
  items: readonly TimelineItem[];
  link: (changes: Record<string, string | undefined>) => string;
  open: string | null;
}): JSX.Element | null {
  const newest = new Map(
    items.flatMap((item) => (item.kind === 'artifact' ? [[item.artifactId, item] as const] : [])),
  );
  if (newest.size === 0) return null;
  return (
    <section class="section" aria-label="Artifacts">
      <h2>Artifacts</h2>
      <ul class="plain-list">
        {[...newest.values()].map((item) => (
          <li key={item.artifactId}>
            <a
              href={link({ artifact: item.artifactId, version: undefined, event: undefined })}
              aria-current={open === item.artifactId ? 'true' : undefined}
              class="wrap"
            >
              {visibleLine(item.name ?? item.artifactId, 120)}
            </a>{' '}
            <span class="muted">
              {counted(item.chunks, 'chunk')}
              {item.version > 1 ? `, ${item.version} versions` : ''}
              {item.late ? ', written after the task had ended' : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
