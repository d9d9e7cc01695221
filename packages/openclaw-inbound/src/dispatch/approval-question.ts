import type { JsonObject, Message, Part, Task } from '@holdword/protocol';
import { asObject, shorten } from '@holdword/protocol/internal';
import type { ApprovalChoice, HostApproval } from '../host/approvals.ts';

/** An approval as the journal knows it: what the caller was asked. */
export interface AskedApproval {
  readonly decisions: readonly string[];
  readonly callId?: string | undefined;
  readonly title?: string | undefined;
  readonly tool?: string | undefined;
  readonly command?: string | undefined;
}

/** Why an approval can no longer be given. */
export type Lapse = 'restarted' | 'expired';

const YES = /^(yes|y|ok|okay|allow|allowed|approve|approved|go ahead)[.!]?$/i;
const NO = /^(no|n|deny|denied|reject|rejected|refuse|stop)[.!]?$/i;
const ALLOW = 'allow-once';
export const DENY = 'deny';
const MAX_COMMAND_LENGTH = 2_000;
const CAUSES: Readonly<Record<Lapse, string>> = {
  restarted: 'the gateway restarted before the answer arrived',
  expired: 'it expired before the answer arrived',
};

/** The approval question for a caller: as text for people and as data for programs. */
export function approvalQuestion(approval: HostApproval, hint?: string): Part[] {
  const { approvalId, decisions, expiresAt, tool, callId, title, reason, command } = approval;
  const text = [
    ...(hint === undefined ? [] : [hint]),
    `May the agent run this? ${subjectOf(approval)}`,
    ...(reason === undefined ? [] : [reason]),
    `Answer with one of: ${decisions.join(', ')}.`,
  ].join('\n');
  const known = { tool, callId, title, reason, command };
  const details: JsonObject = Object.fromEntries(
    Object.entries(known).filter(([, value]) => value !== undefined),
  );
  return [{ text }, { data: { approval: { approvalId, decisions: [...decisions], expiresAt, ...details } } }];
}

/**
 * The decision in an answer: `{"decision": "allow-once"}` as data, or the same as text. Undefined if the answer is unclear or
 * not one of the allowed decisions.
 */
export function decisionIn<Choice extends string = ApprovalChoice>(
  { parts }: Message,
  { decisions }: { readonly decisions: readonly Choice[] },
): Choice | undefined {
  const named = parts.map(({ data }) => decisionOf(data)).find((each) => each !== undefined);
  const text = parts
    .map((part) => part.text ?? '')
    .join(' ')
    .trim();
  const meant = named ?? (YES.test(text) ? ALLOW : NO.test(text) ? DENY : text.toLowerCase());
  return decisions.find((decision) => decision === meant);
}

function decisionOf(data: unknown): string | undefined {
  const { decision } = asObject(data);
  return typeof decision === 'string' ? decision : undefined;
}

/** The approval that the task asked for when it last stopped; undefined if it asked for none. */
export function askedApproval({ history = [] }: Task): AskedApproval | undefined {
  const question = history.findLast(({ role }) => role === 'ROLE_AGENT');
  for (const { data } of question?.parts ?? []) {
    const { approval } = asObject(data);
    if (approval !== undefined) return readApproval(asObject(approval));
  }
  return undefined;
}

function readApproval(approval: Record<string, unknown>): AskedApproval {
  const { decisions } = approval;
  const text = (key: string): string | undefined => {
    const value = approval[key];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    decisions: Array.isArray(decisions) ? decisions.filter((each) => typeof each === 'string') : [],
    callId: text('callId'),
    title: text('title'),
    tool: text('tool'),
    command: text('command'),
  };
}

/** Tells the caller that its answer came too late to run the tool. */
export function lapseNotice(approval: AskedApproval, lapse: Lapse): string {
  return (
    `The approval has lapsed because ${CAUSES[lapse]}: ${subjectOf(approval)}\n` +
    'Your answer did not run it. The agent is told, and asks again if it still needs this.'
  );
}

/** Tells the caller that somebody else has decided. */
export function decidedNotice(approval: AskedApproval): string {
  return `The approval was no longer open when your answer arrived: ${subjectOf(approval)}\nYour answer was not used.`;
}

/** Puts in front of the caller's message what its answer refers to, because the model has seen no result of its call. */
export function explainLapse(
  text: string,
  { approval, lapse, decision }: { approval: AskedApproval; lapse: Lapse; decision: string | undefined },
): string {
  const operator = lapse === 'restarted' ? ', unless an operator allowed it before the restart' : '';
  return [
    `[Tool approval] You asked the caller for approval to run this: ${subjectOf(approval)}`,
    `The approval has lapsed because ${CAUSES[lapse]}. It was not run${operator}.`,
    ...(decision === undefined ? [] : [`The caller has now decided: ${decision}.`]),
    decision === DENY
      ? 'Do not run it.'
      : 'If it is still needed, call the tool again: the caller is then asked for a new approval.',
    `The message of the caller:\n${text}`,
  ].join('\n');
}

function subjectOf({ command, title, tool }: Pick<AskedApproval, 'command' | 'title' | 'tool'>): string {
  return shorten(command ?? title ?? tool ?? 'a tool', MAX_COMMAND_LENGTH);
}
