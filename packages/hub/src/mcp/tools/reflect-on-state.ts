import { z } from 'zod';
import type { HubTool } from '../hub-tool.ts';
import { converse } from './converse.ts';
import { sessionId } from './input-fields.ts';

const WHOLE_STATE = 'What is the state of this session, and what is the next step?';

export const reflectOnState: HubTool = {
  name: 'reflect_on_state',
  title: 'Reflect on state',
  description: 'Get a plain, neutral summary of your session: what is done, what is open, what is next.',
  inputSchema: z.object({
    focus: z.string().min(1).max(2_000).optional().describe('What to focus on. Default: the whole session.'),
    session_id: sessionId,
  }),
  readOnly: false,
  run: ({ focus, session_id }, hub) =>
    converse(hub, { text: focus ?? WHOLE_STATE, session_id, mode: 'neutral', response_mode: 'model_safe' }),
};
