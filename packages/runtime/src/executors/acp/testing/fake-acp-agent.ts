// An agent that speaks ACP over stdin and stdout and does what its prompt says. Runs as a separate process.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type ContentBlock,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';

const [mode = ''] = process.argv.slice(2);
if (mode === 'broken') {
  process.stderr.write('cannot read /etc/agent/secret\n');
  process.exit(3);
}

/** Sessions are stored in files, so that another process can load them. */
class Sessions {
  readonly #texts = new Map<string, string[]>();

  create(folder: string): string {
    const id = `session-${process.pid}-${this.#texts.size + 1}`;
    this.#texts.set(id, []);
    this.save(id, folder);
    return id;
  }

  load(id: string, folder: string): boolean {
    const file = join(folder, `${id}.json`);
    if (!existsSync(file)) return false;
    this.#texts.set(id, JSON.parse(readFileSync(file, 'utf8')));
    return true;
  }

  hear(id: string, text: string): readonly string[] {
    const texts = this.#texts.get(id);
    if (texts === undefined) throw RequestError.invalidParams({ sessionId: id });
    texts.push(text);
    this.save(id, process.cwd());
    return texts;
  }

  save(id: string, folder: string): void {
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(this.#texts.get(id)));
  }
}

const sessions = new Sessions();
const cancelled = new Map<string, () => void>();

async function answer(client: AgentContext, sessionId: string, blocks: ContentBlock[]): Promise<StopReason> {
  const text = blocks.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join(' ');
  const heard = sessions.hear(sessionId, text);
  const tell = (update: SessionUpdate) => client.notify(methods.client.session.update, { sessionId, update });
  const say = (words: string) =>
    tell({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
  const [verb = '', ...rest] = text.split(' ');
  switch (verb) {
    case 'say':
      await tell({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } });
      for (const word of rest) await say(`${word} `);
      return 'end_turn';
    case 'remember':
      await say(heard.join('|'));
      return 'end_turn';
    case 'tool':
      await say('Looking.');
      await tell({ sessionUpdate: 'tool_call', toolCallId: 't1', title: 'Read notes', kind: 'read' });
      await tell({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'failed' });
      await say('Nothing there.');
      return 'end_turn';
    case 'picture':
      await tell({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
      });
      return 'end_turn';
    case 'delete':
    case 'The': // The user allows this once: …
      return remove(client, sessionId, say);
    case 'stop':
      return rest[0] as StopReason;
    case 'flood':
      for (;;) {
        await say('x'.repeat(1_000));
        await pause(0);
      }
    case 'hang':
      await say('thinking');
      await new Promise<void>((resolve) => cancelled.set(sessionId, resolve));
      return 'cancelled';
    case 'ignore':
      await say('thinking');
      await pause(60_000);
      return 'end_turn';
    case 'die':
      process.stderr.write('out of memory in /opt/agent\n');
      return process.exit(7);
    case 'login':
      throw RequestError.authRequired();
    default:
      throw RequestError.internalError({}, `cannot ${verb}`);
  }
}

async function remove(
  client: AgentContext,
  sessionId: string,
  say: (words: string) => Promise<void>,
): Promise<StopReason> {
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall: { toolCallId: 't2', title: 'Delete notes.txt', kind: 'delete' },
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  });
  if (outcome.outcome === 'cancelled') return 'cancelled';
  await say(outcome.optionId === 'yes' ? 'deleted' : 'kept');
  return 'end_turn';
}

agent({ name: 'fake' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: mode === 'old' ? 0 : PROTOCOL_VERSION,
    agentCapabilities: { loadSession: mode !== 'forgetful' },
    authMethods: [{ id: 'token', name: 'fake login' }],
  }))
  .onRequest(methods.agent.session.new, ({ params }) => ({ sessionId: sessions.create(params.cwd) }))
  .onRequest(methods.agent.session.load, ({ params }) => {
    if (!sessions.load(params.sessionId, params.cwd)) throw RequestError.resourceNotFound(params.sessionId);
    return {};
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => cancelled.get(params.sessionId)?.())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => ({
    stopReason: await answer(client, params.sessionId, params.prompt),
  }))
  .connect(
    ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  );
