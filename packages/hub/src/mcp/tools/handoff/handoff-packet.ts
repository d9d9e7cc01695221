import { z } from 'zod';
import type { HubTool } from '../../hub-tool.ts';
import { converse } from '../converse.ts';
import { sessionId } from '../input-fields.ts';

const WHOLE_SESSION = 'What should the next agent remember?';

export const handoffPacket: HubTool = {
  name: 'handoff_packet',
  title: 'Hand-off packet',
  description:
    'Get what a successor needs from your session, based on its journal: what was done, what remains, artifacts, ' +
    'decisions, the last error, the next action, and the source of each fact.',
  inputSchema: z.object({
    note: z.string().min(1).max(2_000).optional().describe('A note to add for the successor.'),
    session_id: sessionId,
  }),
  readOnly: false,
  run: ({ note, session_id }, hub) =>
    converse(hub, { text: note ?? WHOLE_SESSION, session_id, mode: 'neutral', packet: 'handoff_packet' }),
};
