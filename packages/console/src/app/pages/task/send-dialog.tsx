import type { Part } from '@holdword/protocol';
import type { JSX } from 'preact';
import { call } from '../../core/api.ts';
import { visibleLine } from '../../core/foreign-text.ts';
import { useResource } from '../../core/resource.ts';
import { hrefOf, navigate } from '../../core/router.ts';
import { textOf } from '../../core/parts.ts';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { MessageForm } from '../../parts/message-form.tsx';

/** Sends a message that begins a task, and opens it. */
export function SendDialog({
  title,
  close,
  initial,
  again,
  contextId,
}: {
  title: string;
  close: () => void;
  initial?: readonly Part[] | undefined;
  /** The task whose message is sent again. */
  again?: string | undefined;
  contextId?: string | undefined;
}): JSX.Element {
  const agent = useResource('served', (signal) => call('getAgent', { path: { agentId: 'served' }, signal }));
  const [answer, setAnswer] = useState<string>();
  return (
    <Dialog title={title} close={close} wide>
      <MessageForm
        action="Send"
        initial={initial}
        skills={agent.value?.skillList}
        send={async ({ parts, skill, messageId }) => {
          const { task, message } = await call('sendMessage', {
            body: { messageId, parts, skill, again, contextId },
          });
          if (task === null) {
            setAnswer(textOf(message?.parts ?? []));
            return;
          }
          close();
          navigate(hrefOf(['tasks', task.id]));
        }}
      />
      {answer !== undefined && (
        <p class="note prewrap" role="status">
          The agent answered without a task: {visibleLine(answer, 2000)}
        </p>
      )}
    </Dialog>
  );
}

/** Begins a new task from the first events of another. */
export function ForkDialog({
  taskId,
  sequence,
  close,
}: {
  taskId: string;
  sequence: number;
  close: () => void;
}): JSX.Element {
  return (
    <Dialog title={`Fork at event ${sequence}`} close={close} wide>
      <p class="note">
        A new task takes over the events 1 to {sequence} and continues with your message. This task stays as
        it is.
      </p>
      <MessageForm
        action="Fork"
        label="Message for the new task (optional)"
        mayBeEmpty
        send={async ({ parts }) => {
          const body = parts.length === 0 ? { sequence } : { sequence, parts };
          const { task } = await call('forkTask', { path: { taskId }, body });
          close();
          navigate(hrefOf(['tasks', task.id]));
        }}
      />
    </Dialog>
  );
}
