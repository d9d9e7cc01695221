import { z } from 'zod';
import { handoffId } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffGet = methodTool('handoff/get', {
  name: 'handoff_get',
  title: 'Look at a hand-off',
  description: 'Who has it and until when; to whoever offered it also who refused it, and why.',
  inputSchema: z.object({ handoff_id: handoffId }),
  readOnly: true,
});
