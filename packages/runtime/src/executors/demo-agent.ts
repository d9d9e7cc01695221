import { setTimeout } from 'node:timers/promises';
import { SKILL_METADATA, textOfParts } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import { TerminalError } from './executor-errors.ts';
import type { Executor, Sink, Turn } from './executor.ts';

/** What the demo agent does with a text that matches `pattern`. */
interface DemoSkill {
  id: string;
  name: string;
  description: string;
  examples: string[];
  pattern: RegExp;
  answersDirectly?: boolean;
  run(turn: Turn, sink: Sink): Promise<void>;
}

const MAX_COUNT = 1_000_000;
const MAX_WAIT_SECONDS = 24 * 60 * 60;

const echo: DemoSkill = {
  id: 'echo',
  name: 'Echo',
  description: 'Returns the message as an artifact.',
  examples: ['echo hello', 'hello there'],
  pattern: /^echo\b/i,
  async run(turn, sink) {
    const text = textOf(turn).replace(/^echo\s+/i, '');
    const data = turn.message.parts.filter((part) => part.data !== undefined);
    const parts = text === '' && data.length > 0 ? data : [{ text }, ...data];
    await sink.artifact({ artifactId: 'echo', name: 'echo', parts, lastChunk: true });
    await sink.complete(text === '' ? undefined : text);
  },
};

const count: DemoSkill = {
  id: 'count',
  name: 'Count',
  description: 'Counts to a number, one streamed chunk at a time.',
  examples: ['count to 10'],
  pattern: /^count to \d+\b/i,
  async run(turn, sink) {
    const target = numberIn(turn, 1, MAX_COUNT);
    for (let number = 1; number <= target; number += 1) {
      turn.signal.throwIfAborted();
      await sink.artifact({
        artifactId: 'numbers',
        name: 'numbers',
        parts: number === target ? `${number}` : `${number}\n`,
        append: number > 1,
        lastChunk: number === target,
      });
    }
    await sink.complete(`Counted to ${target}.`);
  },
};

const table: DemoSkill = {
  id: 'table',
  name: 'Table',
  description: 'Returns a small table as structured data.',
  examples: ['table'],
  pattern: /^table$/i,
  async run(_turn, sink) {
    const rows = ['Mercury', 'Venus', 'Earth', 'Mars'].map((planet, index) => ({ place: index + 1, planet }));
    await sink.artifact({
      artifactId: 'table',
      name: 'planets',
      parts: [{ data: { rows } }],
      lastChunk: true,
    });
    await sink.complete('Four planets as a table.');
  },
};

const file: DemoSkill = {
  id: 'file',
  name: 'File',
  description: 'Returns a small CSV file.',
  examples: ['file'],
  pattern: /^file$/i,
  async run(_turn, sink) {
    const raw = Buffer.from('place,planet\n1,Mercury\n2,Venus\n3,Earth\n4,Mars\n').toString('base64');
    const part = { raw, filename: 'planets.csv', mediaType: 'text/csv' };
    await sink.artifact({ artifactId: 'file', name: 'planets.csv', parts: [part], lastChunk: true });
    await sink.complete('Four planets as a file.');
  },
};

const askMe: DemoSkill = {
  id: 'ask',
  name: 'Ask',
  description: 'Asks a question and waits for the answer in the same task.',
  examples: ['ask me'],
  pattern: /^ask me\b/i,
  async run(turn, sink) {
    if (turn.task.history?.length === 1) return sink.askInput('What is your name?');
    const name = textOf(turn);
    await sink.artifact({
      artifactId: 'greeting',
      name: 'greeting',
      parts: `Hello, ${name}!`,
      lastChunk: true,
    });
    await sink.complete(`Hello, ${name}!`);
  },
};

const login: DemoSkill = {
  id: 'login',
  name: 'Log in',
  description:
    'Asks for credentials, which the user supplies out of band, and continues with the next message.',
  examples: ['login'],
  pattern: /^log ?in\b/i,
  async run(turn, sink) {
    if (turn.task.history?.length === 1) {
      return sink.askAuth('Log in at the example service, then send any message to continue.');
    }
    await sink.complete('You are logged in.');
  },
};

const wait: DemoSkill = {
  id: 'wait',
  name: 'Wait',
  description: 'Works for a number of seconds; can be canceled.',
  examples: ['wait 5'],
  pattern: /^wait \d+\b/i,
  async run(turn, sink) {
    const seconds = numberIn(turn, 0, MAX_WAIT_SECONDS);
    await sink.status(`Waiting ${seconds} s.`);
    await setTimeout(seconds * 1_000, undefined, { signal: turn.signal });
    await sink.complete(`Waited ${seconds} s.`);
  },
};

const fail: DemoSkill = {
  id: 'fail',
  name: 'Fail',
  description: 'Fails with a reason.',
  examples: ['fail'],
  pattern: /^fail\b/i,
  async run() {
    throw new TerminalError('The demo agent failed, as you asked.');
  },
};

const hello: DemoSkill = {
  id: 'hello',
  name: 'Hello',
  description: 'Answers with a plain message, without a task.',
  examples: ['hello'],
  pattern: /^hello$/i,
  answersDirectly: true,
  async run(turn, sink) {
    const text = 'Hello! Try: echo hi, count to 5, table, file, ask me, login, wait 3, fail.';
    await (turn.mayAnswerDirectly ? sink.message(text) : sink.complete(text));
  },
};

/** The first is the default. */
export const DEMO_SKILLS: readonly DemoSkill[] = [echo, count, table, file, askMe, login, wait, fail, hello];

/** The built-in agent: shows every feature of A2A in response to plain words, without a model. It echoes everything else. */
export const demoAgent: Executor = {
  card: {
    name: 'Holdword demo agent',
    description: 'Echoes what it is sent, and shows every feature of A2A in response to plain words.',
    version: '1.0.0',
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json', 'text/csv'],
    skills: DEMO_SKILLS.map(({ id, name, description, examples }) => ({
      id,
      name,
      description,
      examples,
      tags: ['demo'],
    })),
  },
  withoutEffects: true,
  answersDirectly: (turn) => skillFor(turn)?.answersDirectly === true,
  async execute(turn, sink) {
    const skill = skillFor(turn);
    if (skill !== undefined) return skill.run(turn, sink);
    const known = DEMO_SKILLS.map(({ id }) => id).join(', ');
    await sink.reject(`There is no skill "${shorten(turn.skill ?? '', 60)}". Skills: ${known}.`);
  },
};

export default demoAgent;

/**
 * The client names the skill, or the first message of a task selects it; further ones answer its questions. Undefined if there
 * is no skill of that name.
 */
function skillFor(turn: Turn): DemoSkill | undefined {
  const { parts, metadata } = turn.task.history?.[0] ?? turn.message;
  const named = turn.skill ?? metadata?.[SKILL_METADATA];
  if (typeof named === 'string') return DEMO_SKILLS.find(({ id }) => id === named);
  const words = textOfParts(parts).trim();
  return DEMO_SKILLS.find((skill) => skill.pattern.test(words)) ?? DEMO_SKILLS[0];
}

function textOf(turn: Turn): string {
  return textOfParts(turn.message.parts).trim();
}

function numberIn(turn: Turn, min: number, max: number): number {
  const number = Number(/\d+/.exec(textOf(turn))?.[0]);
  if (number >= min && number <= max) return number;
  throw new TerminalError(`Expected a number from ${min} to ${max}, found ${number}.`);
}
