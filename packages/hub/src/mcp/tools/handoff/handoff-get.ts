import { z } from 'zod';
import { handoffId } from '../input-fields.ts';
import { methodTool } from '../method-tool.ts';

export const handoffGet = methodTool('handoff/get', {
  name: 'handoff_get',
  title: 'Get a hand-off',
  description:
    'Get the status of a hand-off: who holds it and until when. If you offered it, also who rejected it and why.',
  inputSchema: z.object({ handoff_id: handoffId }),
  readOnly: true,
});
