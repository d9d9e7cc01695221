import type { V03Message, V03Task } from '@holdword/protocol';
import { minimizeMessage, minimizeTask } from '../../llm/reply/minimize-reply.ts';
import { withTextStatus } from '../../llm/with-text-status.ts';
import type { ToolContext, ToolResult } from '../tool.ts';

const TEXT_TIP = 'Text was minimized. Call viewTextArtifact() to see specific line ranges.';
const DATA_TIP = 'Data was minimized. Call viewDataArtifact() to navigate to specific data.';

/** Fits a task into the budget. */
export async function taskReply(context: ToolContext, agentId: string, task: V03Task): Promise<ToolResult> {
  const { session, settings, budget, count, statusMessage } = context;
  const { paths } = await session.getSavedFiles(agentId, task);
  const reply = minimizeTask(task, {
    budget,
    count,
    settings,
    savedFilePaths: paths,
    textTip: TEXT_TIP,
    dataTip: DATA_TIP,
  });
  return statusMessage === 'text' ? withTextStatus(reply) : { ...reply };
}

/** Fits a plain message into the budget. It cannot be viewed later, so there are no tips. */
export function messageReply({ settings, budget, count }: ToolContext, message: V03Message): ToolResult {
  return { ...minimizeMessage(message, { budget, count, settings }) };
}
