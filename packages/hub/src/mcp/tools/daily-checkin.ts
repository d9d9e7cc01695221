import { z } from 'zod';
import type { HubTool } from '../hub-tool.ts';
import { converse } from './converse.ts';
import { sessionId } from './input-fields.ts';

export const dailyCheckin: HubTool = {
  name: 'daily_checkin',
  title: 'Daily check-in',
  description:
    'Report your status once a day, so that your session records what you are doing and what blocks you.',
  inputSchema: z.object({
    status: z.string().max(500).optional().describe('Your current status. Default: running.'),
    blockers: z.string().max(1_000).optional().describe('What blocks you.'),
    notes: z.string().max(400).optional().describe('Anything else a successor should know.'),
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
