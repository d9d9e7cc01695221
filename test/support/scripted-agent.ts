import type { Part } from '@holdword/protocol';
import { TerminalError, type AgentDescription, type Executor, type Sink, type Turn } from '@holdword/runtime';
import { Gates } from './gates.ts';

/**
 * An agent that executes the message as a script, for example
 * `status thinking; wait gate-1; artifact answer 42; complete`. Steps are separated by `;`.
 */
export interface ScriptedAgent extends Executor {
  readonly gates: Gates;
}

type Step = (rest: string, turn: Turn, sink: Sink) => unknown;

/** The script is the first text of the message; the other parts are content. */
function scriptOf(turn: Turn): string {
  return turn.message.parts.find(({ text }) => text !== undefined)?.text ?? '';
}

/** Splits a line at its first space. */
function cut(text: string): [string, string] {
  const blank = text.indexOf(' ');
  return blank < 0 ? [text, ''] : [text.slice(0, blank), text.slice(blank + 1)];
}

function part(kind: string, content: string): Part {
  switch (kind) {
    case 'raw':
      return { raw: content, mediaType: 'application/octet-stream' };
    case 'url':
      return { url: content, mediaType: 'text/html' };
    case 'data':
      return { data: JSON.parse(content) };
    default:
      return { text: content };
  }
}

function stepsOf(gates: Gates): Readonly<Record<string, Step>> {
  return {
    status: (text, _turn, sink) => sink.status(text),
    working: (_rest, _turn, sink) => sink.status(),
    artifact: (rest, _turn, sink) => {
      const [artifactId, text] = cut(rest);
      return sink.artifact({ artifactId, name: artifactId, parts: text });
    },
    append: (rest, _turn, sink) => {
      const [artifactId, text] = cut(rest);
      return sink.artifact({ artifactId, parts: text, append: true });
    },
    last: (rest, _turn, sink) => {
      const [artifactId, text] = cut(rest);
      return sink.artifact({ artifactId, parts: text, append: true, lastChunk: true });
    },
    part: (rest, _turn, sink) => {
      const [kind, content] = cut(rest);
      return sink.artifact({ artifactId: kind, parts: part(kind, content) });
    },
    /** Returns the parts of the message as an artifact. */
    mirror: (_rest, turn, sink) => sink.artifact({ artifactId: 'mirror', parts: turn.message.parts }),
    /** Reports how many earlier messages of the context the agent can see. */
    remember: async (_rest, turn, sink) => {
      const earlier = await turn.contextHistory();
      return sink.artifact({ artifactId: 'memory', parts: String(earlier.length) });
    },
    owner: (_rest, turn, sink) => sink.artifact({ artifactId: 'owner', parts: JSON.stringify(turn.owner) }),
    /** Writes an artifact that the protocol does not allow. */
    hollow: (_rest, _turn, sink) => sink.artifact({ artifactId: 'hollow', parts: [] }),
    wait: (name, turn, sink) => sink.flush().then(() => gates.pass(name, turn.signal)),
    message: (text, turn, sink) => (turn.mayAnswerDirectly ? sink.message(text) : sink.complete(text)),
    ask: (text, _turn, sink) => sink.askInput(text),
    auth: (text, _turn, sink) => sink.askAuth(text),
    complete: (text, _turn, sink) => sink.complete(text === '' ? undefined : text),
    fail: (text, _turn, sink) => sink.fail(text),
    reject: (text, _turn, sink) => sink.reject(text),
    refuse: (text) => {
      throw new TerminalError(text);
    },
    crash: (text) => {
      throw new Error(text);
    },
  };
}

export const SCRIPTED_CARD: AgentDescription = {
  name: 'Scripted agent',
  description: 'Executes the message as a script.',
  version: '1.2.3',
  defaultInputModes: ['text/plain', 'application/json', 'application/octet-stream', 'text/html'],
  defaultOutputModes: ['text/plain', 'application/json', 'application/octet-stream'],
  skills: [{ id: 'script', name: 'Script', description: 'Runs the steps of a message.', tags: ['test'] }],
};

export function scriptedAgent(card: AgentDescription = SCRIPTED_CARD): ScriptedAgent {
  const gates = new Gates();
  const steps = stepsOf(gates);
  return {
    gates,
    card,
    answersDirectly: (turn) => scriptOf(turn).startsWith('message '),
    execute: async (turn, sink) => {
      for (const line of scriptOf(turn).split(';')) {
        const [word, rest] = cut(line.trim());
        const step = steps[word];
        if (step !== undefined) {
          await step(rest, turn, sink);
        }
      }
    },
  };
}
