import { isInterrupted, isTerminal } from '@holdword/protocol';
import type { TaskHeader } from '@holdword/store';
import { shorten } from '@holdword/protocol/internal';
import type { Conclusion, Confidence, Evidence, Fact } from './evidence.ts';
import { SessionFacts, type SessionEvidence, type TaskEvidence } from './session-facts.ts';

const MAX_FACTS = 50;
const MAX_ARTIFACTS = 200;

/** Draws conclusions from the facts: what remains, what to do next, the risk, and the confidence. */
export function concludeEvidence(session: SessionEvidence): Evidence {
  const { header, collected } = session.main;
  const facts = new SessionFacts(session);
  const remaining = facts.remaining();
  const lists = {
    done: facts.done(),
    remaining,
    decisions: facts.noted('decisions'),
    open_questions: facts.openQuestions(),
  };
  const next = nextAction(facts, remaining, session.main);
  const artifacts = session.tasks.flatMap(({ header: { state }, collected: { artifacts: made } }) =>
    made.map((each) => ({ ...each, complete: each.complete || state === 'TASK_STATE_COMPLETED' })),
  );
  return {
    task_id: header.taskId,
    context_id: header.contextId,
    state: header.state,
    events: { first: header.firstSequence, last: header.lastSequence, complete: header.firstSequence === 1 },
    request: collected.isAdvice ? null : collected.request,
    last_report: facts.lastReport,
    last_messages: [...facts.lastMessages],
    done: lists.done.slice(-MAX_FACTS),
    progress: collected.progress,
    remaining: remaining.slice(0, MAX_FACTS),
    decisions: lists.decisions.slice(-MAX_FACTS),
    open_questions: lists.open_questions.slice(-MAX_FACTS),
    last_error: facts.lastError(),
    last_error_resolved: facts.errorResolved(),
    risks: facts.risks().slice(0, MAX_FACTS),
    artifacts: artifacts.slice(-MAX_ARTIFACTS),
    exact_next_action: next,
    risk_to_watch: riskToWatch(facts),
    confidence: confidenceIn(next, session, facts),
    omitted: {
      ...collected.omitted,
      ...tooMany(lists),
      ...(artifacts.length > MAX_ARTIFACTS && { artifacts: artifacts.length - MAX_ARTIFACTS }),
      ...(session.unreadTasks > 0 && { tasks: session.unreadTasks }),
    },
  };
}

function nextAction(
  facts: SessionFacts,
  remaining: readonly Fact[],
  { header, collected }: TaskEvidence,
): Conclusion {
  const { question, instruction, firstConcern } = facts;
  const { request } = collected;
  // The later one wins: a question asked after the note must be answered first.
  if (question !== null && facts.latest([instruction, question]) === question) {
    return { ...question, text: `Answer: ${question.text}`, by: 'hub', basis: 'question' };
  }
  const first = remaining.find((fact) => fact !== request);
  if (facts.isPlanInDoubt) return readLast(facts, instruction ?? first);
  if (firstConcern !== null) return { ...firstConcern, basis: 'remaining' };
  if (instruction !== null) return { ...instruction, basis: 'noted' };
  if (first !== undefined) return { ...first, basis: 'remaining' };
  if (facts.saysNothingIsLeft) return nothingLeft('Nothing is left to do, as the last report says.', header);
  const isAnswered = header.state === 'TASK_STATE_COMPLETED' && !collected.isAdvice;
  if (isAnswered)
    return nothingLeft(`Nothing is left to do: the task ended in state ${header.state}.`, header);
  if (request !== null && !collected.isAdvice) {
    return { ...request, text: `Continue with the request: ${request.text}`, by: 'hub', basis: 'request' };
  }
  if (facts.lastReport === null) {
    const text = 'Ask the agent what is left to do: it has reported nothing.';
    return { ...nothingLeft(text, header), basis: 'report' };
  }
  return readLast(facts);
}

const MAX_QUOTE_LENGTH = 501;

/** The newest report may change what was planned before it, so it comes first. */
function readLast({ lastReport, saysNothingIsLeft }: SessionFacts, plan?: Fact): Conclusion {
  const report = lastReport as Fact;
  const words = shorten(report.text, MAX_QUOTE_LENGTH);
  const before = saysNothingIsLeft ? 'nothing was left to do.' : plan?.text;
  const text =
    before === undefined
      ? `Ask what is left to do. The last report says only: ${words}`
      : `Read what was reported last: "${words}" Planned before that: ${before}`;
  return { ...report, text, by: 'hub', basis: 'report' };
}

function nothingLeft(text: string, { taskId, lastSequence }: TaskHeader): Conclusion {
  return { text, by: 'hub', source: { task_id: taskId, sequence: lastSequence }, basis: 'state' };
}

const RISKS_TOLD = 3;

/** The newest risks; without any, the last error if nobody said that it is over. */
function riskToWatch(facts: SessionFacts): Conclusion | null {
  const risks = facts.risks().slice(0, RISKS_TOLD);
  const [newest] = risks;
  if (newest !== undefined)
    return { ...newest, text: risks.map(({ text }) => text).join(' | '), basis: 'noted' };
  const error = openError(facts);
  return error && { ...error, text: `This error may recur: ${error.text}`, by: 'hub', basis: 'error' };
}

function openError(facts: SessionFacts): Fact | null {
  return facts.errorResolved() === null ? facts.lastError() : null;
}

/** An open error that was reported, unless a later report says that nothing is left. An agent that ended leaves its plan as it was. */
function reportedTrouble(facts: SessionFacts): Fact | null {
  const error = openError(facts);
  if (error?.by !== 'user') return null;
  const isNewest = error.source.task_id === facts.lastReport?.source.task_id;
  return facts.saysNothingIsLeft && !isNewest ? null : error;
}

/**
 * High if all was read, nothing is running, no reported error is open, and somebody wrote down what to do; low if the newest
 * report must be read first.
 */
function confidenceIn(
  next: Conclusion,
  { main: { header }, unreadTasks }: SessionEvidence,
  facts: SessionFacts,
): Confidence {
  const { firstSequence, lastSequence, taskId, state } = header;
  const isComplete = firstSequence === 1;
  const isAtRest = isTerminal(state) || isInterrupted(state);
  const isWritten = next.basis === 'noted' || next.basis === 'question' || next.basis === 'remaining';
  const trouble = reportedTrouble(facts);
  const reasons = [
    isComplete
      ? `all ${lastSequence} events of task ${taskId}`
      : `events ${firstSequence} to ${lastSequence} of task ${taskId}; earlier ones were deleted by retention`,
    ...(unreadTasks > 0 ? [`${unreadTasks} older tasks of the session were not read`] : []),
    `the next action is ${BASIS_WORDS[next.basis]} (task ${next.source.task_id}, sequence ${next.source.sequence})`,
    isAtRest ? `the task is not running (${state})` : `the task is running (${state}); more may follow`,
    ...(trouble === null
      ? []
      : [
          `an error is not reported as resolved (task ${trouble.source.task_id}, sequence ${trouble.source.sequence})`,
        ]),
  ];
  const isEnded = next.basis === 'state' && (facts.saysNothingIsLeft || state === 'TASK_STATE_COMPLETED');
  // A correction, waiting for somebody, or an open error changes a plan that was written before.
  const isSettled = facts.firstConcern === null && trouble === null;
  const isHigh = isComplete && unreadTasks === 0 && isAtRest && isSettled && (isWritten || isEnded);
  return { level: next.basis === 'report' ? 'low' : isHigh ? 'high' : 'medium', rests_on: reasons };
}

const BASIS_WORDS: Readonly<Record<Conclusion['basis'], string>> = {
  noted: 'noted in the journal',
  question: "the agent's open question",
  remaining: 'the first item noted as open',
  error: 'taken from the last error',
  state: 'derived from the state of the task',
  request: 'the request itself, because nothing more specific was noted',
  report: 'to read the last report: it does not say what is left, or may change what was planned before it',
};

function tooMany(lists: Readonly<Record<string, readonly Fact[]>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(lists)
      .filter(([, facts]) => facts.length > MAX_FACTS)
      .map(([name, facts]) => [name, facts.length - MAX_FACTS]),
  );
}
