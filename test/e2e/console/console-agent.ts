import { setTimeout } from 'node:timers/promises';
import type { AgentDescription, Executor, Sink, Turn } from '@holdword/runtime';
import { Gates } from '../../support/gates.ts';

/** A dot of one pixel. */
const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Text that runs where it is taken for markup. `window.ran` would be set. */
export const HOSTILE =
  '<img src=x onerror="window.ran=1"><script>window.ran=1</script><svg onload="window.ran=1"> [click](javascript:window.ran=1) \u202Egnp.exe';

const HOSTILE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1"><script>window.ran=1</script></svg>';

const REPORT = `# Quarterly report

Revenue grew by **12 %**. Two regions are _behind plan_; see [the table](https://example.com/table).

| Region | Revenue | Change |
| ------ | ------- | ------ |
| North  | 120     | +4 %   |
| South  | 80      | -2 %   |

- [x] Numbers checked
- [ ] Sent to the board

\`\`\`sql
select region, sum(revenue) from orders group by region;
\`\`\`
`;

const QUESTION_SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', maxLength: 80 },
    nights: { type: 'integer', title: 'Nights', minimum: 1, maximum: 30, default: 2 },
    room: { type: 'string', title: 'Room', enum: ['single', 'double', 'suite'] },
    breakfast: { type: 'boolean', title: 'Breakfast' },
  },
  required: ['city', 'nights', 'room'],
};

type Script = (turn: Turn, sink: Sink, gates: Gates) => Promise<void>;

const SCRIPTS: Readonly<Record<string, Script>> = {
  async report(_turn, sink) {
    await sink.status('Reading the numbers of all regions.');
    await sink.status(undefined, {
      metadata: { tool: { name: 'query_database', callId: 'c1', phase: 'start' } },
    });
    await setTimeout(120);
    await sink.status(undefined, {
      metadata: { tool: { name: 'query_database', callId: 'c1', phase: 'end' } },
    });
    await sink.artifact({
      artifactId: 'draft',
      name: 'report.md',
      parts: 'A first draft.\nRevenue grew.\n',
      lastChunk: true,
    });
    await setTimeout(60);
    const half = Math.floor(REPORT.length / 2);
    await sink.artifact({ artifactId: 'draft', name: 'report.md', parts: REPORT.slice(0, half) });
    await setTimeout(60);
    await sink.artifact({ artifactId: 'draft', parts: REPORT.slice(half), append: true, lastChunk: true });
    const rows = [
      { region: 'North', revenue: 120, change: 4 },
      { region: 'South', revenue: 80, change: -2 },
      { region: 'West', revenue: 95, change: 1 },
    ];
    await sink.artifact({ artifactId: 'rows', name: 'regions', parts: [{ data: rows }], lastChunk: true });
    const image = { raw: IMAGE, filename: 'chart.png', mediaType: 'image/png' };
    await sink.artifact({ artifactId: 'chart', name: 'chart.png', parts: [image], lastChunk: true });
    await sink.complete('The report is ready: two regions are behind plan.');
  },
  async book(turn, sink) {
    if (turn.task.history?.length === 1) {
      await sink.askInput([{ text: 'Where to, and for how long?' }, { data: { schema: QUESTION_SCHEMA } }]);
      return;
    }
    const [answer] = turn.message.parts;
    await sink.artifact({
      artifactId: 'booking',
      name: 'booking',
      parts: [{ data: answer?.data ?? answer?.text }],
      lastChunk: true,
    });
    await sink.complete('Booked.');
  },
  async login(turn, sink) {
    if (turn.task.history?.length === 1) await sink.askAuth('Sign in at the example service.');
    else await sink.complete('Signed in.');
  },
  /** `stream 50`: that many chunks, then it waits for the gate `end`. */
  async stream(turn, sink, gates) {
    const chunks = Number(/\d+/.exec(textOf(turn))?.[0] ?? 10);
    for (let index = 1; index <= chunks; index += 1) {
      await sink.artifact({
        artifactId: 'numbers',
        name: 'numbers',
        parts: `line ${index}\n`,
        append: index > 1,
        lastChunk: index === chunks,
      });
    }
    await gates.pass('end', turn.signal);
    await sink.complete(`Wrote ${chunks} lines.`);
  },
  /** `talk 150`: reports that many times. */
  async talk(turn, sink) {
    const reports = Number(/\d+/.exec(textOf(turn))?.[0] ?? 10);
    for (let index = 1; index <= reports; index += 1) await sink.status(`Report ${index} of ${reports}.`);
    await sink.complete('All is said.');
  },
  async hold(turn, sink, gates) {
    await sink.status('Holding the line.');
    await gates.pass('hold', turn.signal);
    await sink.complete('Done.');
  },
  async hostile(_turn, sink) {
    await sink.status(HOSTILE, { metadata: { tool: { name: HOSTILE, callId: HOSTILE, phase: 'start' } } });
    await sink.artifact({
      artifactId: 'text',
      name: HOSTILE,
      description: HOSTILE,
      parts: HOSTILE,
      lastChunk: true,
    });
    await sink.artifact({
      artifactId: 'data',
      name: 'data',
      parts: [{ data: { [HOSTILE]: HOSTILE } }],
      lastChunk: true,
    });
    await sink.artifact({
      artifactId: 'rows',
      name: 'rows',
      parts: [{ data: [{ [HOSTILE]: HOSTILE }] }],
      lastChunk: true,
    });
    for (const [artifactId, mediaType, text] of [
      ['html', 'text/html', `<html><body>${HOSTILE}</body></html>`],
      ['svg', 'image/svg+xml', HOSTILE_SVG],
      [
        'markdown',
        'text/markdown',
        `${HOSTILE}\n\n[x](data:text/html,<script>window.ran=1</script>) ![y](https://tracker.invalid/y.png)`,
      ],
      ['csv', 'text/csv', `"${HOSTILE.replaceAll('"', '""')}",b\n1,2\n`],
    ] as const) {
      await sink.artifact({
        artifactId,
        name: artifactId,
        parts: [{ text, mediaType, filename: HOSTILE }],
        lastChunk: true,
      });
    }
    const raw = Buffer.from(HOSTILE_SVG).toString('base64');
    await sink.artifact({
      artifactId: 'image',
      name: 'image',
      parts: [{ raw, mediaType: 'image/svg+xml', filename: 'x.svg' }],
      lastChunk: true,
    });
    await sink.artifact({
      artifactId: 'fake',
      name: 'fake',
      parts: [{ raw, mediaType: 'image/png', filename: 'x.png' }],
      lastChunk: true,
    });
    await sink.artifact({
      artifactId: 'link',
      name: 'link',
      parts: [{ url: 'javascript:window.ran=1', filename: HOSTILE }],
      lastChunk: true,
    });
    const field = { type: 'string', title: HOSTILE, description: HOSTILE, enum: [HOSTILE] };
    const schema = { type: 'object', properties: { [HOSTILE]: field } };
    await sink.askInput([{ text: HOSTILE }, { data: { schema } }]);
  },
};

/** Does what the first word of the first message says. */
export function consoleAgent(card: Partial<AgentDescription> = {}): Executor & { readonly gates: Gates } {
  const gates = new Gates();
  return {
    gates,
    card: {
      name: 'Travel and reports',
      description: 'Writes reports and books rooms.',
      version: '1.2.0',
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json', 'image/png'],
      skills: Object.keys(SCRIPTS)
        .filter((id) => id !== 'hostile')
        .map((id) => ({ id, name: id, description: `Does ${id}.`, tags: ['demo'], examples: [id] })),
      ...card,
    },
    async execute(turn, sink) {
      const first = turn.task.history?.[0]?.parts ?? turn.message.parts;
      const name = first.find(({ text }) => text !== undefined)?.text?.split(' ')[0] ?? '';
      const script = SCRIPTS[name];
      if (script === undefined) await sink.complete(`There is nothing to do for "${name.slice(0, 40)}".`);
      else await script(turn, sink, gates);
    },
  };
}

function textOf(turn: Turn): string {
  return turn.message.parts.map(({ text }) => text ?? '').join(' ');
}
