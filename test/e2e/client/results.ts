import type { V03Message, V03Task } from '@holdword/client';

export function taskOf(result: V03Task | V03Message): V03Task {
  if (result.kind !== 'task') throw new Error(`Expected a task, found ${JSON.stringify(result)}`);
  return result;
}

/** The texts of all artifacts. */
export function textsOf({ artifacts = [] }: Pick<V03Task, 'artifacts'>): string[] {
  return artifacts.flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '?')));
}
