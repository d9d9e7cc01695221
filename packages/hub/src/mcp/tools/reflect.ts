import { z } from 'zod';
import type { HubTool } from '../hub-tool.ts';
import { converse } from './converse.ts';
import { sessionId } from './input-fields.ts';

export const reflect: HubTool = {
  name: 'reflect',
  title: 'Reflect',
  description:
    'Share what is on your mind in your own words and get an answer based on what your session actually contains. Use ' +
    'this for open-ended reflection; use an A2A message for routing and hand-off.',
  inputSchema: z.object({
    reflection: z.string().min(1).max(2_000).describe('What you want to reflect on.'),
    session_id: sessionId,
  }),
  readOnly: false,
  run: ({ reflection, session_id }, hub) => converse(hub, { text: reflection, session_id }),
};
