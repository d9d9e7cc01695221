import type { V03TaskState } from '@holdword/protocol';
import { compactJsonLength } from '../../artifacts/data/json-length.ts';
import type { ArtifactForLLM, MessageForLLM, TaskForLLM } from '../for-llm.ts';
import { fitList } from './fit-list.ts';
import { once, wantedTogether, type Fittable } from './fittable.ts';

export interface TaskPieces {
  readonly id: string;
  readonly contextId: string;
  readonly state: V03TaskState;
  readonly message: Fittable<MessageForLLM> | undefined;
  readonly artifacts: readonly Fittable<ArtifactForLLM>[];
}

const NULL_LENGTH = 4;

/** A task: its message gets half of the room and what the artifacts leave, the artifacts share the rest. */
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
  const least = compactJsonLength({ ...empty, _omitted_artifacts: artifacts.length });
  const full = (): TaskForLLM => ({
    ...withMessage(message?.full() ?? null),
    artifacts: artifacts.map((artifact) => artifact.full()),
  });
  const wantedWithin = (limit: number): number => {
    const messageWanted = message === undefined ? 0 : message.wanted() - NULL_LENGTH;
    return frame + messageWanted + Math.max(0, wantedTogether(artifacts, limit) - 1);
  };
  const fitMessage = (room: number): MessageForLLM | null => {
    if (message === undefined) return null;
    const messageRoom = Math.max(Math.floor(room / 2), room - wantedTogether(artifacts, room));
    return message.least <= messageRoom ? message.fit(messageRoom) : null;
  };
  return {
    least,
    full,
    wanted: once(() => wantedWithin(Infinity)),
    fit(length) {
      if (wantedWithin(length) <= length) return full();
      const shown = withMessage(fitMessage(length - least));
      const { values, omitted } = fitList(artifacts, length - compactJsonLength(shown), least - frame);
      return { ...shown, artifacts: values, ...(omitted > 0 && { _omitted_artifacts: omitted }) };
    },
  };
}
