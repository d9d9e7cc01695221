import {
  isInterrupted,
  isTerminal,
  textOfParts,
  type Artifact,
  type JsonObject,
  type Message,
  type Task,
} from '@holdword/protocol';
import { coreArtifactToV03, coreMessageToV03, coreTaskToV03 } from '@holdword/protocol/internal';
import { GUIDANCE_ARTIFACT, guidanceSchema, type Guidance } from './guidance.ts';

/** A task in the hub's JSON. */
export function taskFields(task: Task): JsonObject {
  return {
    id: task.id,
    context_id: task.contextId,
    session_id: task.contextId,
    status: statusField(task),
    messages: messagesOf(task).map((message) => coreMessageToV03(message)),
    artifacts: artifactsOf(task).map(artifactField),
    response_contract_version: 'v2',
  };
}

export function statusField(task: Task): JsonObject {
  const { state, timestamp } = coreTaskToV03(task).status;
  return { state, timestamp: timestamp ?? null };
}

/** The agent's answer: the status message or, without one, the text of the artifacts. */
export function messagesOf(task: Task): Message[] {
  if (task.status.message !== undefined) return [task.status.message];
  const text = artifactsOf(task)
    .map(({ parts }) => textOfParts(parts))
    .filter((each) => each !== '')
    .join('\n\n');
  return text === '' ? [] : [{ messageId: `${task.id}-answer`, role: 'ROLE_AGENT', parts: [{ text }] }];
}

/** The artifacts of a task without the guidance, whose content is at the top level of the answer. */
export function artifactsOf(task: Task): Artifact[] {
  return (task.artifacts ?? []).filter(({ name }) => name !== GUIDANCE_ARTIFACT);
}

/** The files and data in the messages of the user, under the ids that a packet gives them. */
export function filesOf({ history = [] }: Task): Artifact[] {
  return history
    .filter(({ role }) => role === 'ROLE_USER')
    .flatMap(({ messageId, parts }) =>
      parts.flatMap((part, index) =>
        part.text === undefined
          ? [
              {
                artifactId: `${messageId}/${index}`,
                parts: [part],
                ...(part.filename !== undefined && { name: part.filename }),
              },
            ]
          : [],
      ),
    );
}

export function artifactField(artifact: Artifact): JsonObject {
  const data = artifact.parts.find((part) => part.data !== undefined)?.data;
  const { parts } = coreArtifactToV03(artifact);
  return {
    artifact_id: artifact.artifactId,
    name: artifact.name ?? artifact.artifactId,
    mimeType: mediaTypeOf(artifact),
    parts,
    ...(data !== undefined && { data }),
  };
}

function mediaTypeOf({ parts }: Artifact): string {
  const [first] = parts;
  if (first?.mediaType !== undefined) return first.mediaType;
  return first?.text === undefined ? 'application/json' : 'text/plain';
}

/** The next steps that the agent gave or, without any, steps derived from the state of the task. */
export function stepsOf(task: Task | undefined): Guidance {
  return (task && guidanceIn(task)) ?? stepsFromState(task);
}

function guidanceIn(task: Task): Guidance | undefined {
  const artifact = task.artifacts?.findLast(({ name }) => name === GUIDANCE_ARTIFACT);
  const data = artifact?.parts.find((part) => part.data !== undefined)?.data;
  const guidance = guidanceSchema.safeParse(data);
  return guidance.success ? guidance.data : undefined;
}

function stepsFromState(task: Task | undefined): Guidance {
  if (task === undefined || task.status.state === 'TASK_STATE_COMPLETED') {
    return steps('Act on the answer, then report the result in this session.');
  }
  if (isInterrupted(task.status.state)) {
    return steps(`Answer the question: call message/send with task_id ${task.id}.`);
  }
  if (isTerminal(task.status.state))
    return steps('Read why the task ended, fix the cause, and send the message again.');
  return steps(
    `Check the task: call tasks/get with task_id ${task.id}.`,
    `Cancel the task: call tasks/cancel with task_id ${task.id}.`,
  );
}

function steps(first: string, ...others: string[]): Guidance {
  return { next_action: first, next_actions: [first, ...others] };
}
