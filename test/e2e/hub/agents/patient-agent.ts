import { textOfParts } from '@holdword/protocol';
import type { Executor, Sink, Turn } from '@holdword/runtime';
import { FileGate } from '../../replicas/file-gate.ts';

/**
 * `gate FILE` waits at a gate that a test opens from another process, and continues there after a restart. `book` asks for a booking,
 * then for a login, and returns what it was told. Everything else is answered at once.
 */
const patientAgent: Executor = { execute: work, resume: work };

export default patientAgent;

async function work(turn: Turn, sink: Sink): Promise<void> {
  const said = (turn.task.history ?? []).filter(({ role }) => role === 'ROLE_USER');
  const text = textOfParts(said[0]?.parts ?? []);
  const [, file] = /gate (\S+)/.exec(text) ?? [];
  if (file !== undefined) {
    await new FileGate(file).pass(turn.signal);
    return sink.complete('Through the gate.');
  }
  if (!text.includes('book')) return sink.complete('At once.');
  if (said.length === 1) {
    const properties = { city: { type: 'string' }, nights: { type: 'integer', minimum: 1 } };
    const schema = { type: 'object', properties, required: ['city'] };
    return sink.askInput([{ text: 'Which trip?' }, { data: { schema } }]);
  }
  if (said.length === 2) {
    return sink.askAuth([{ text: 'Log in.' }, { data: { url: 'https://login.example/device' } }]);
  }
  return sink.complete(`Booked ${textOfParts(said[1]?.parts ?? [])}.`);
}
