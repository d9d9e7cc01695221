import { A2AError } from '@holdword/protocol';
import { asObject, quoteRemoteText, shorten, withRemoteText } from '@holdword/protocol/internal';

const MAX_SHOWN = 100;

/**
 * Which events belong to a task.
 *
 * Responsible for never mixing up two tasks, one of which may be that of another user: an event that names another task or
 * another context is not one of this task. What is not given is learned from the first event that names it.
 */
export class OwnEvents {
  #taskId: string | undefined;
  #contextId: string | undefined;
  #foreign = 0;

  constructor(taskId?: string, contextId?: string) {
    this.#taskId = nonEmpty(taskId);
    this.#contextId = nonEmpty(contextId);
  }

  /** How many events of other tasks were left out. */
  get foreign(): number {
    return this.#foreign;
  }

  /** @param event A `StreamResponse`, perhaps not validated. */
  accepts(event: unknown): boolean {
    const [[kind, value] = []] = Object.entries(asObject(event));
    const content = asObject(value);
    const taskId = nonEmpty(content[kind === 'task' ? 'id' : 'taskId']);
    const contextId = nonEmpty(content['contextId']);
    const isOwn =
      (this.#taskId ?? taskId) === (taskId ?? this.#taskId) &&
      (this.#contextId ?? contextId) === (contextId ?? this.#contextId);
    if (isOwn) {
      this.#taskId ??= taskId;
      this.#contextId ??= contextId;
    } else this.#foreign += 1;
    return isOwn;
  }
}

function nonEmpty(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Rejects a task that is not the one that was asked for: following it would mix up two tasks. */
export function sameTask<Found>(id: string, task: Found): Found {
  const found = asObject(task)['id'];
  if (found === id) return task;
  throw withRemoteText(
    new A2AError(
      'INVALID_AGENT_RESPONSE',
      `The agent sent an invalid response: expected the task "${shorten(id, MAX_SHOWN)}", found ${quoteRemoteText(String(found), MAX_SHOWN)}. Report this to its operator.`,
    ),
  );
}
