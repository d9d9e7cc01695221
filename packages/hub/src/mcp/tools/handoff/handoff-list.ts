import { z } from 'zod';
import { methodTool } from '../method-tool.ts';

export const handoffList = methodTool('handoff/list', {
  name: 'handoff_list',
  title: 'List hand-offs',
  description: 'List open hand-offs: of your tasks, of agents you control, and those you can claim.',
  inputSchema: z.object({}),
  readOnly: true,
});
