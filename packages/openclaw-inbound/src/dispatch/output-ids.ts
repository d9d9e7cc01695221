import type { JsonObject, Task } from '@holdword/protocol';
import type { Turn } from '@holdword/runtime';

/** The source of an artifact's content. */
export type OutputSource = CountedSource | 'tool-progress';
type CountedSource = 'assistant-output' | 'tool-result';

/** The identity of an artifact within its task. */
export interface OutputId {
  readonly artifactId: string;
  readonly name: OutputSource;
  readonly metadata: JsonObject;
}

const DIGITS = 4;

/**
 * Names the outputs of a turn: `assistant-output-0001`, `tool-result-0001`, `tool-progress-<call>`. A further turn continues
 * the numbering; a turn that runs again after a crash restarts it and thus replaces its earlier outputs.
 */
export class OutputIds {
  readonly #turn: number;
  readonly #counts: Record<CountedSource, number>;
  #sequence = 0;

  constructor({ task }: Pick<Turn, 'task'>) {
    this.#turn = turnNumber(task);
    const shown = (source: CountedSource): number =>
      task.artifacts?.filter(
        ({ artifactId, metadata }) =>
          artifactId.startsWith(`${source}-`) && metadata?.['turn'] !== this.#turn,
      ).length ?? 0;
    this.#counts = { 'assistant-output': shown('assistant-output'), 'tool-result': shown('tool-result') };
  }

  next(source: CountedSource): OutputId {
    this.#counts[source] += 1;
    return this.#idOf(source, String(this.#counts[source]).padStart(DIGITS, '0'));
  }

  ofCall(callId: string): OutputId {
    return this.#idOf('tool-progress', callId.replaceAll(/[^\w.-]+/g, '_'));
  }

  #idOf(source: OutputSource, last: string): OutputId {
    this.#sequence += 1;
    return {
      artifactId: `${source}-${last}`,
      name: source,
      metadata: { source, sequence: this.#sequence, turn: this.#turn },
    };
  }
}

/** The first message of a task starts its first turn. */
function turnNumber({ history = [] }: Task): number {
  return Math.max(1, history.filter(({ role }) => role === 'ROLE_USER').length);
}
