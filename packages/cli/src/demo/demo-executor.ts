import { setTimeout } from 'node:timers/promises';
import { textOfParts, type Part } from '@holdword/protocol';
import type { AgentDescription, Executor, Sink, Turn } from '@holdword/runtime';
import { demoAgent } from '@holdword/runtime/internal';

/** What the agent of `demo-server` does with a message that is this word, besides what the demo agent does. */
interface Trick {
  readonly word: string;
  readonly description: string;
  run(turn: Turn, sink: Sink): Promise<void>;
}

const REPORT = `# Report

Some **bold** and some \`code\`, and a [link](https://holdword.example/).

| Planet | Moons |
| ------ | ----: |
| Earth  |     1 |
| Mars   |     2 |

- first
- second

\`\`\`js
console.log('done');
\`\`\`
`;

const TRICKS: readonly Trick[] = [
  {
    word: 'reject',
    description: 'Rejects the task.',
    run: (_turn, sink) => sink.reject('The demo agent rejects this, as you asked.'),
  },
  {
    word: 'parts',
    description: 'Returns parts of every kind: text, data, a file and a link.',
    async run(_turn, sink) {
      const raw = Buffer.from('hello\n').toString('base64');
      const parts: Part[] = [
        { text: 'A text.' },
        { data: { answer: 42, list: [1, 2, 3] } },
        { raw, filename: 'hello.txt', mediaType: 'text/plain' },
        { url: 'https://holdword.example/picture.png', filename: 'picture.png', mediaType: 'image/png' },
      ];
      await sink.artifact({ artifactId: 'parts', name: 'parts', parts, lastChunk: true });
      await sink.complete('Parts of every kind.');
    },
  },
  {
    word: 'report',
    description: 'Streams a text in Markdown, a piece at a time.',
    async run(turn, sink) {
      const pieces = REPORT.match(/[^]{1,12}/g) ?? [];
      for (const [index, piece] of pieces.entries()) {
        turn.signal.throwIfAborted();
        await sink.artifact({
          artifactId: 'report',
          name: 'report.md',
          parts: [{ text: piece, mediaType: 'text/markdown' }],
          append: index > 0,
          lastChunk: index === pieces.length - 1,
        });
        await setTimeout(20, undefined, { signal: turn.signal });
      }
      await sink.complete();
    },
  },
  {
    word: 'choose',
    description: 'Asks to choose one of three.',
    run: asking('Which colour?', {
      choices: ['red', 'green', { value: 'blue', label: 'Blue, like the sky' }],
    }),
  },
  {
    word: 'form',
    description: 'Asks for several fields, as a JSON Schema says.',
    run: asking('Where shall it go?', {
      schema: {
        type: 'object',
        properties: {
          city: { type: 'string', title: 'City' },
          copies: { type: 'integer', title: 'Copies', minimum: 1, maximum: 9 },
          express: { type: 'boolean', title: 'Express' },
        },
        required: ['city', 'copies'],
      },
    }),
  },
  {
    word: 'password',
    description: 'Asks for a secret, which is not shown while it is typed.',
    run: asking('Your password?', {
      schema: {
        type: 'object',
        properties: { password: { type: 'string', title: 'Password', format: 'password' } },
        required: ['password'],
      },
    }),
  },
  {
    word: 'link',
    description: 'Asks to authenticate at a link.',
    async run(turn, sink) {
      if (turn.task.history?.length === 1) {
        await sink.askAuth([
          { text: 'Open the link and confirm.' },
          { data: { url: 'https://login.holdword.example/confirm?code=1234' } },
        ]);
      } else await sink.complete('Thank you.');
    },
  },
];

/** Asks first, and answers with what was said. Secrets are not repeated. */
function asking(question: string, data: object): Trick['run'] {
  return async (turn, sink) => {
    if (turn.task.history?.length === 1) return sink.askInput([{ text: question }, { data }]);
    const [given] = turn.message.parts.flatMap((part) => (part.data === undefined ? [] : [part.data]));
    const said = given === undefined ? textOfParts(turn.message.parts) : shown(given);
    await sink.artifact({
      artifactId: 'answer',
      name: 'answer',
      parts: `You said ${said}.`,
      lastChunk: true,
    });
    await sink.complete();
  };
}

function shown(data: unknown): string {
  return JSON.stringify(data, (name, value: unknown) =>
    name === 'password' ? `a password of ${String(value).length} characters` : value,
  );
}

function trickFor(turn: Turn): Trick | undefined {
  const first = textOfParts((turn.task.history?.[0] ?? turn.message).parts)
    .trim()
    .toLowerCase();
  return TRICKS.find(({ word }) => word === first);
}

/** The agent of `demo-server`: the demo agent, and what a client can get wrong besides. */
export function demoServerAgent(card: Partial<AgentDescription>): Executor {
  const { skills = [], ...description } = demoAgent.card ?? { name: '', description: '' };
  return {
    ...demoAgent,
    card: {
      ...description,
      name: 'Holdword demo server',
      skills: [
        ...skills,
        ...TRICKS.map(({ word, description: text }) => ({
          id: word,
          name: word,
          description: text,
          examples: [word],
          tags: ['demo'],
        })),
      ],
      ...card,
    },
    answersDirectly: (turn) => trickFor(turn) === undefined && demoAgent.answersDirectly?.(turn) === true,
    execute: (turn, sink) => trickFor(turn)?.run(turn, sink) ?? demoAgent.execute(turn, sink),
  };
}
