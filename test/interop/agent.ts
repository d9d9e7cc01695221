import type { Part } from '@holdword/protocol';
import type { Executor, Sink, Turn } from '@holdword/runtime';

/**
 * The agent that foreign clients talk to, with the behaviours that every server of the lab has. The first word of the message
 * chooses one; README.md describes them.
 */
const FILE: readonly Part[] = [
  { raw: Buffer.from('hello, file').toString('base64'), filename: 'hello.txt', mediaType: 'text/plain' },
  { url: 'https://example.com/report.pdf', filename: 'report.pdf', mediaType: 'application/pdf' },
  { data: { answer: 42 } },
];

function textOf(turn: Turn): string {
  return turn.message.parts.map(({ text }) => text ?? '').join('');
}

/** Works until the task is canceled, or for so long that a client which does not cancel has given up. */
async function work(turn: Turn, sink: Sink): Promise<void> {
  await sink.status('working');
  await sink.flush();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 60_000);
    turn.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function count(sink: Sink): Promise<void> {
  await sink.status('counting');
  const words = ['one ', 'two ', 'three'];
  for (const [index, word] of words.entries()) {
    await sink.artifact({
      artifactId: 'numbers',
      name: 'numbers',
      parts: word,
      append: index > 0,
      lastChunk: index === words.length - 1,
    });
  }
  return sink.complete();
}

const agent: Executor = {
  card: {
    name: 'Interoperability agent',
    description: 'Has the behaviours that clients of the lab rely on.',
    version: '1.0.0',
    defaultInputModes: ['text/plain', 'application/json', 'application/octet-stream'],
    defaultOutputModes: ['text/plain', 'application/json', 'application/pdf', 'application/octet-stream'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Returns what you send.', tags: ['test'] }],
  },

  answersDirectly: (turn) => textOf(turn).startsWith('message '),

  async execute(turn, sink) {
    if ((turn.task.history ?? []).length > 1) {
      await sink.artifact({ artifactId: 'answer', name: 'answer', parts: `you said ${textOf(turn)}` });
      return sink.complete();
    }
    const text = textOf(turn);
    const blank = text.indexOf(' ');
    const [word, rest] = blank < 0 ? [text, ''] : [text.slice(0, blank), text.slice(blank + 1)];
    switch (word) {
      case 'message':
        return turn.mayAnswerDirectly ? sink.message(rest) : sink.complete(rest);
      case 'stream':
        return count(sink);
      case 'ask':
        return sink.askInput('Which colour?');
      case 'fail':
        return sink.fail('failed on purpose');
      case 'slow':
        return work(turn, sink);
      case 'file':
        await sink.artifact({ artifactId: 'file', name: 'file', parts: FILE });
        return sink.complete();
      case 'mirror':
        await sink.artifact({
          artifactId: 'mirror',
          name: 'mirror',
          parts: turn.message.parts.filter((part) => part.text === undefined),
        });
        return sink.complete();
      default:
        await sink.artifact({ artifactId: 'echo', name: 'echo', parts: rest });
        return sink.complete();
    }
  },
};

export default agent;
