import type { JSX } from 'preact';
import type { PushTarget } from '../../../api/task.ts';
import { call } from '../../core/api.ts';
import { visibleLine } from '../../core/foreign-text.ts';
import { counted } from '../../core/format.ts';
import { useAction } from '../../core/resource.ts';
import { hrefOf } from '../../core/router.ts';
import { isOperator } from '../../core/session.ts';
import { Ago, Badge, Problem, Section } from '../../parts/basics.tsx';

const TONES = { active: 'green', failing: 'amber', dead: 'red', finished: 'gray' } as const;

/** Where push notifications go and how far they are; nothing if there are none. */
export function PushTargets({
  targets,
  changed,
  withTask = false,
}: {
  targets: readonly PushTarget[];
  changed: () => void;
  withTask?: boolean;
}): JSX.Element | null {
  if (targets.length === 0) return null;
  return (
    <Section title="Push notifications">
      <ul class="plain-list">
        {targets.map((target) => (
          <Target
            key={`${target.taskId} ${target.configId}`}
            target={target}
            changed={changed}
            withTask={withTask}
          />
        ))}
      </ul>
    </Section>
  );
}

function Target({
  target,
  changed,
  withTask,
}: {
  target: PushTarget;
  changed: () => void;
  withTask: boolean;
}): JSX.Element {
  const { taskId, configId } = target;
  const replay = useAction(async () => {
    await call('replayPush', { body: { taskId, configId } });
    changed();
  });
  return (
    <li class="target">
      <Badge tone={TONES[target.state]}>{target.state}</Badge>
      <span class="mono wrap">{visibleLine(target.url, 120)}</span>
      <span class="muted">
        delivered to event {target.delivered}
        {target.attempts > 0 && `, ${counted(target.attempts, 'failed attempt')} in a row`}
        {target.error !== null && `: ${visibleLine(target.error, 200)}`}
        {target.nextAttemptAt !== null && (
          <>
            , next attempt <Ago at={target.nextAttemptAt} />
          </>
        )}
      </span>
      {withTask && <a href={hrefOf(['tasks', taskId])}>Task</a>}
      {isOperator() && target.state === 'dead' && (
        <button type="button" class="small" disabled={replay.busy} onClick={replay.run}>
          Retry
        </button>
      )}
      {replay.error !== undefined && <Problem error={replay.error} />}
    </li>
  );
}
