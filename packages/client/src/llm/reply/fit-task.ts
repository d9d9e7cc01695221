import type { V03TaskState } from '@holdword/protocol';
import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import type { ArtifactForLLM, MessageForLLM, TaskForLLM } from '../for-llm.ts';
import { fitList } from './fit-list.ts';
import { lazy, totalFullLength, type Fittable } from './fittable.ts';

export interface TaskPieces {
  readonly id: string;
  readonly contextId: string;
  readonly state: V03TaskState;
  readonly message: Fittable<MessageForLLM> | undefined;
  readonly artifacts: readonly Fittable<ArtifactForLLM>[];
}

const NULL_LENGTH = 4;

/** Fits a task: its message gets half of the room or whatever the artifacts do not need, and the artifacts share the rest. */
export function fittableTask(pieces: TaskPieces): Fittable<TaskForLLM> {
  const { id, contextId, state, message, artifacts } = pieces;
  const withMessage = (shown: MessageForLLM | null): TaskForLLM => ({
    id,
    contextId,
    kind: 'task',
    status: { state, message: shown },
    artifacts: [],
  });
  const empty = withMessage(null);
  const frame = compactJsonLength(empty);
  const minLength = compactJsonLength({ ...empty, _omitted_artifacts: artifacts.length });
  const full = (): TaskForLLM => ({
    ...withMessage(message?.full() ?? null),
    artifacts: artifacts.map((artifact) => artifact.full()),
  });
  const fullLengthWithin = (limit: number): number => {
    const messageLength = message === undefined ? 0 : message.fullLength() - NULL_LENGTH;
    return frame + messageLength + Math.max(0, totalFullLength(artifacts, limit) - 1);
  };
  const fitMessage = (room: number): MessageForLLM | null => {
    if (message === undefined) return null;
    const messageRoom = Math.max(Math.floor(room / 2), room - totalFullLength(artifacts, room));
    return message.minLength <= messageRoom ? message.fit(messageRoom) : null;
  };
  return {
    minLength,
    full,
    fullLength: lazy(() => fullLengthWithin(Infinity)),
    fit(length) {
      if (fullLengthWithin(length) <= length) return full();
      const shown = withMessage(fitMessage(length - minLength));
      const { values, omitted } = fitList(artifacts, length - compactJsonLength(shown), minLength - frame);
      return { ...shown, artifacts: values, ...(omitted > 0 && { _omitted_artifacts: omitted }) };
    },
  };
}
