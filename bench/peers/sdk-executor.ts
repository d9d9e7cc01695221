import { randomUUID } from 'node:crypto';
import { TaskState, type Artifact, type Part, type TaskStatus } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { chunkText, ECHO_TEXT, requestedChunks } from './work.ts';

/** The demo agent's echo and count on the SDK's executor port: task, working, the artifact or its chunks, completed. */
export const sdkExecutor: AgentExecutor = {
  execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage } = request;
    const publishStatus = (state: TaskState): void =>
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state), metadata: undefined }));
    const publishArtifact = (artifact: Artifact, append: boolean, lastChunk: boolean): void =>
      bus.publish(
        AgentEvent.artifactUpdate({ taskId, contextId, artifact, append, lastChunk, metadata: undefined }),
      );

    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: status(TaskState.TASK_STATE_SUBMITTED),
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      }),
    );
    publishStatus(TaskState.TASK_STATE_WORKING);
    const artifactId = randomUUID();
    const chunks = requestedChunks(textOf(userMessage.parts));
    if (chunks === undefined) {
      publishArtifact(textArtifact(artifactId, ECHO_TEXT), false, true);
    } else {
      for (let number = 1; number <= chunks; number += 1) {
        publishArtifact(textArtifact(artifactId, chunkText(number)), number > 1, number === chunks);
      }
    }
    publishStatus(TaskState.TASK_STATE_COMPLETED);
    bus.finished();
    return Promise.resolve();
  },
  cancelTask: () => Promise.resolve(),
};

function status(state: TaskState): TaskStatus {
  return { state, message: undefined, timestamp: new Date().toISOString() };
}

function textArtifact(artifactId: string, text: string): Artifact {
  return {
    artifactId,
    name: '',
    description: '',
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
  };
}

function textPart(text: string): Part {
  return { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' };
}

function textOf(parts: readonly Part[]): string {
  const content = parts[0]?.content;
  return content?.$case === 'text' ? content.value : '';
}
