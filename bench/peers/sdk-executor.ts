import { TaskState } from '@a2a-js/sdk';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { requestText, SdkBus, sdkTextPart } from '../../test/support/sdk-bus.ts';
import { chunkText, countedText, ECHO_TEXT, requestedChunks } from './work.ts';

/**
 * Echo and count of the demo agent as an executor of the SDK, with the same events: the task, working, the artifact or its
 * chunks, completed with a message.
 */
export const sdkExecutor: AgentExecutor = {
  execute(request: RequestContext, executionBus: ExecutionEventBus): Promise<void> {
    const bus = new SdkBus(request, executionBus);
    const chunks = requestedChunks(requestText(request));
    bus.task(TaskState.TASK_STATE_SUBMITTED);
    bus.status(TaskState.TASK_STATE_WORKING);
    if (chunks === undefined) {
      bus.artifact({ artifactId: 'echo', parts: [sdkTextPart(ECHO_TEXT)], append: false, lastChunk: true });
      bus.status(TaskState.TASK_STATE_COMPLETED, ECHO_TEXT);
    } else {
      for (let number = 1; number <= chunks; number += 1) {
        const parts = [sdkTextPart(chunkText(number))];
        bus.artifact({ artifactId: 'numbers', parts, append: number > 1, lastChunk: number === chunks });
      }
      bus.status(TaskState.TASK_STATE_COMPLETED, countedText(chunks));
    }
    bus.finished();
    return Promise.resolve();
  },
  cancelTask: () => Promise.resolve(),
};
