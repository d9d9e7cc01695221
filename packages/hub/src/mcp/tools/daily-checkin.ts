import { z } from 'zod';
import type { HubTool } from '../hub-tool.ts';
import { converse } from './converse.ts';
import { sessionId } from './input-fields.ts';

export const dailyCheckin: HubTool = {
  name: 'daily_checkin',
  title: 'Daily check-in',
  description:
    'Say once a day how things stand, so that your session knows what you were doing and what holds you up.',
  inputSchema: z.object({
    status: z.string().max(500).optional().describe('How things stand. Default: running.'),
    blockers: z.string().max(1_000).optional().describe('What holds you up.'),
    notes: z.string().max(400).optional().describe('What else a successor should know.'),
    session_id: sessionId,
  }),
  readOnly: false,
  run: ({ status = 'running', blockers, notes, session_id }, hub) =>
    converse(hub, {
      text: [
        `Daily check-in. Status: ${String(status)}.`,
        ...(typeof blockers === 'string' ? [`Blockers: ${blockers}.`] : []),
        ...(typeof notes === 'string' ? [`Notes: ${notes}.`] : []),
      ].join(' '),
      session_id,
      mode: 'heartbeat',
    }),
};
