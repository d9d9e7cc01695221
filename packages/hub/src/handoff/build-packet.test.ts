import { expect, test } from 'vitest';
import { asksForPacket } from './build-packet.ts';

test.each([
  [{ packet: 'handoff_packet' }, ''],
  [{ packet: 'handoff' }, ''],
  [{ response_contract: 'witness_handoff' }, ''],
  [{ response_contract: 'continuity_packet' }, ''],
  [{ handoff_packet: true }, ''],
  [{}, 'What should the next agent remember?'],
  [{}, 'Prepare the handoff, please.'],
  [{}, 'I am handing over to somebody.'],
  [{}, 'Name the risk to watch.'],
  [{}, 'O que o próximo agente deve lembrar?'],
])('%j "%s" asks for a packet', (params, text) => {
  expect(asksForPacket(params, text)).toBe(true);
});

test.each([
  [{ packet: 'none' }, 'We are stuck in a retry storm (429).'],
  [{ handoff_packet: 'true' }, ''],
  [{}, 'The handset offers nothing.'],
])('%j "%s" does not ask for a packet', (params, text) => {
  expect(asksForPacket(params, text)).toBe(false);
});
