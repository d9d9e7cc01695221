import type { JsonObject, Message } from '@holdword/protocol';
import { textAt } from '../json-value.ts';
import { TOOL_KINDS, type WantedPermission } from './permission-policy.ts';

const KEY = 'permission';
const YES = /^\s*(?:y|yes|ok|okay|allow(?:ed)?)\b/i;

export function questionText({ title, kind }: WantedPermission): string {
  return `The agent asks for permission: ${title} (${kind}). Answer "yes" to allow it once; anything else is told to the agent instead.`;
}

/** What stands with the question, so that its answer is understood in the next turn, also after a restart. */
export function questionMetadata({ title, kind }: WantedPermission): JsonObject {
  return { [KEY]: { title, kind } };
}

/** What the user has just allowed: the task's last question, if it was about a permission and the answer is yes. */
export function grantedPermission(history: readonly Message[]): WantedPermission | undefined {
  const [question, answer] = history.slice(-2);
  if (question?.role !== 'ROLE_AGENT' || answer?.role !== 'ROLE_USER') return undefined;
  const title = textAt(question.metadata, KEY, 'title');
  const kind = TOOL_KINDS.find((each) => each === textAt(question.metadata, KEY, 'kind'));
  if (title === undefined || kind === undefined) return undefined;
  const text = answer.parts.map((part) => part.text ?? '').join(' ');
  return YES.test(text) ? { title, kind } : undefined;
}

/** What the agent is told, which was stopped when it asked. */
export function permissionGiven({ title }: WantedPermission): string {
  return `The user allows this once: ${title}. Go on with what you were asked to do.`;
}
