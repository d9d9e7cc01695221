import { textOfParts, type Part } from '@holdword/protocol';
import type { Content, Executor, Sink, Turn } from './executor.ts';
import { wrapExecutor } from './wrap-executor.ts';

/** Longer answers are sent as they are: what an agent writes is not kept in memory a second time without end. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * Leaves out the message with which an agent completes a task if its text is that of an artifact: clients that show both would
 * show it twice. The artifact stays.
 */
export function omitRepeatedText(executor: Executor): Executor {
  return wrapExecutor(executor, {
    execute: (turn, sink) => executor.execute(turn, comparing(turn, sink)),
    ...(executor.resume && {
      resume: async (turn: Turn, sink: Sink) => executor.resume?.(turn, comparing(turn, sink)),
    }),
  });
}

/** A sink that remembers the text of the artifacts. */
function comparing({ task }: Turn, sink: Sink): Sink {
  const texts = new Map<string, string>();
  let room = MOST_CHARACTERS;
  const remember = (id: string, parts: Content, append = false): void => {
    const text = textIn(parts);
    room -= text.length;
    if (room >= 0) texts.set(id, append ? `${texts.get(id) ?? ''}${text}` : text);
    else texts.clear();
  };
  for (const { artifactId, parts } of task.artifacts ?? []) remember(artifactId, parts);
  const isRepeated = (content: Content): boolean => {
    const text = textIn(content).trim();
    return text !== '' && isOnlyText(content) && [...texts.values()].some((each) => each.trim() === text);
  };
  return {
    status: (content, options) => sink.status(content, options),
    artifact(input) {
      // Before it is written: an agent need not await its output. One without an id is never appended to.
      remember(input.artifactId ?? `unnamed-${texts.size}`, input.parts, input.append);
      return sink.artifact(input);
    },
    message: (content, details) => sink.message(content, details),
    askInput: (content, options) => sink.askInput(content, options),
    askAuth: (content, options) => sink.askAuth(content, options),
    complete: (content) => sink.complete(content !== undefined && isRepeated(content) ? undefined : content),
    fail: (content) => sink.fail(content),
    reject: (content) => sink.reject(content),
    flush: () => sink.flush(),
  };
}

function partsIn(content: Content): readonly Part[] {
  if (typeof content === 'string') return [{ text: content }];
  return Array.isArray(content) ? content : [content as Part];
}

function textIn(content: Content): string {
  return textOfParts([...partsIn(content)]);
}

function isOnlyText(content: Content): boolean {
  return partsIn(content).every(({ text }) => text !== undefined);
}
