import type { JsonObject, Message } from '@holdword/protocol';
import { textAt } from '../json-value.ts';
import { TOOL_KINDS, type WantedPermission } from './permission-policy.ts';

const KEY = 'permission';
const YES = /^\s*(?:y|yes|ok|okay|allow(?:ed)?)\b/i;

export function questionText({ title, kind }: WantedPermission): string {
  return `The agent asks for permission: ${title} (${kind}). Answer "yes" to allow it once; any other answer is passed on to the agent.`;
}

/** Metadata of the question, so that the next turn understands the answer, even after a restart. */
export function questionMetadata({ title, kind }: WantedPermission): JsonObject {
  return { [KEY]: { title, kind } };
}

/** The permission that the user has just granted: that of the task's last question, if the answer is yes. */
export function grantedPermission(history: readonly Message[]): WantedPermission | undefined {
  const [question, answer] = history.slice(-2);
  if (question?.role !== 'ROLE_AGENT' || answer?.role !== 'ROLE_USER') return undefined;
  const title = textAt(question.metadata, KEY, 'title');
  const kind = TOOL_KINDS.find((each) => each === textAt(question.metadata, KEY, 'kind'));
  if (title === undefined || kind === undefined) return undefined;
  const text = answer.parts.map((part) => part.text ?? '').join(' ');
  return YES.test(text) ? { title, kind } : undefined;
}

/** What the agent is told after the grant, since it was stopped when it asked. */
export function permissionGiven({ title }: WantedPermission): string {
  return `The user allows this once: ${title}. Continue with your task.`;
}
