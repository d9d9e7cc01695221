import type { A2AErrorCode, JsonObject } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';
import type {
  Question,
  RemoteAgentResult,
  RemoteAgentSuccess,
  ReplySummary,
  ResultError,
  SavedFile,
} from '../contract.ts';
import { type Reply, replyText } from '../calls/reply.ts';
import type { ConfiguredTarget, OutboundConfig } from '../config.ts';
import { shownId } from '../remote-ids.ts';
import { cutJson, cutMarkedJson, markedJson, markedText, noticeFor } from './foreign-text.ts';
import { hideIds } from './hidden-ids.ts';
import { questionText } from './question.ts';
import { rawForModel } from './raw-for-model.ts';
import { targetsForModel } from './targets-for-model.ts';

/** What the text may have beyond the remote text: ids, continuations, hints, markers. */
const OWN_CHARACTERS = 10_000;
/** How finely the budget is divided if a result is too long. */
const MAX_BUDGET_STEPS = 64;
/** Error details always get this many characters, because they contain the hints for the next step. */
const MIN_DETAILS_CHARACTERS = 6_000;

/**
 * The result for the model: the same JSON, with everything that other agents wrote between markers and cut to the budget. `raw`
 * is abbreviated; programs find all of it in `details`.
 *
 * Whatever the parts are, the whole text is bounded here: escaping alone can make a text six times as long.
 */
export function resultForModels(
  result: RemoteAgentResult,
  replies: readonly (Reply | undefined)[],
  { limits, targets }: Pick<OutboundConfig, 'limits' | 'targets'>,
): string {
  const most = limits.textCharacters + OWN_CHARACTERS;
  const textFor = (budget: number): string => asText(result, contentOf(result, replies, budget, targets));
  const whole = textFor(limits.textCharacters);
  if (whole.length <= most) return whole;
  // The largest budget that fits, about.
  let best: string | undefined;
  let [fits, exceeds] = [0, limits.textCharacters];
  while (exceeds - fits > limits.textCharacters / MAX_BUDGET_STEPS) {
    const budget = Math.floor((fits + exceeds) / 2);
    const text = textFor(budget);
    if (text.length > most) exceeds = budget;
    else [fits, best] = [budget, text];
  }
  if (best !== undefined) return best;
  const shortest = contentOf(result, replies, 0, targets);
  const text = asText(result, shortest);
  return text.length <= most ? text : shortestText(result, shortest, most);
}

/** For results that are too long even without remote text, such as those of very many agents. */
function shortestText(
  result: RemoteAgentResult,
  { raw: _raw, ...content }: JsonObject,
  most: number,
): string {
  for (let limit = most; ; limit = Math.floor(limit / 2)) {
    const text = asText(result, cutMarkedJson(content, limit) as JsonObject);
    if (text.length <= most || limit === 0) return text;
  }
}

function asText({ ok, operation, action }: RemoteAgentResult, content: JsonObject): string {
  const notice = noticeFor(JSON.stringify(content));
  return JSON.stringify({ ok, operation, action, ...(notice !== undefined && { notice }), ...content });
}

function contentOf(
  result: RemoteAgentResult,
  replies: readonly (Reply | undefined)[],
  budget: number,
  targets: readonly ConfiguredTarget[],
): JsonObject {
  if (!result.ok) return { error: hideIds(markedError(result.error, budget)) };
  const share = Math.floor(budget / Math.max(1, replies.length));
  const raw = replies.map((reply) => (reply === undefined ? null : rawForModel(reply, share)));
  return {
    summary: hideIds(markedSummary(result.summary, replies, { budget, share }, targets)),
    ...(replies.length > 0 && { raw: 'branches' in result.summary ? raw : raw[0] }),
  };
}

function markedSummary(
  summary: RemoteAgentSuccess['summary'],
  replies: readonly (Reply | undefined)[],
  { budget, share }: { readonly budget: number; readonly share: number },
  targets: readonly ConfiguredTarget[],
): JsonObject {
  if ('targets' in summary) return targetsForModel(summary.targets, budget, targets);
  if (!('branches' in summary)) return markedReply(summary, share, replies[0]);
  const branches = summary.branches.map((branch, index) => markedBranch(branch, share, replies[index]));
  return { ...summary, branches };
}

/** The text is taken from the reply, if there is one: in the summary it may have been cut before, which would be cut again. */
function markedReply(summary: ReplySummary, budget: number, reply?: Reply): JsonObject {
  // What was cut for programs is not what is cut here, where a note in the text says so.
  const { message_text: short, message_text_cut: _, question, files, continuation, ...own } = summary;
  const text = short === undefined || reply === undefined ? short : replyText(reply);
  // A question is often the whole text. It is told once, where there is more of it.
  const isAsked = text !== undefined && text === question?.text;
  const isCut = !isAsked && text !== undefined && questionText(text) === question?.text;
  return {
    ...own,
    ...(text !== undefined && !isAsked && { message_text: markedText(text, budget) }),
    ...(question && {
      question: markedQuestion(isCut ? { ...question, text: undefined } : question, budget),
    }),
    ...(files && { files: markedFiles(files) }),
    ...(continuation && { continuation }),
  };
}

const MAX_NAME_CHARACTERS = 200;

/** The files that were saved, and one line for all that were not for the same reason. */
function markedFiles(files: readonly SavedFile[]): JsonObject[] {
  const saved = files.filter(({ error }) => error === undefined);
  const failed = Map.groupBy(
    files.filter(({ error }) => error !== undefined),
    ({ error }) => error,
  );
  return [
    ...saved.map(markedFile),
    ...[...failed.values()].map(([first, ...others]) =>
      others.length === 0 && first !== undefined
        ? markedFile(first)
        : { error: first?.error, files: others.length + 1 },
    ),
  ];
}

/** The path ends with the agent's name for the file if that cannot be a text. Otherwise the name is told as well. */
function markedFile({ name, mime_type: type, ...file }: SavedFile): JsonObject {
  const isNamed = name === undefined || (file.path !== undefined && file.path.endsWith(name));
  const isShown = type !== undefined && shownId(type.replaceAll('+', '-')) !== undefined;
  return {
    ...file,
    ...(!isNamed && { name: markedText(name, MAX_NAME_CHARACTERS) }),
    ...(type !== undefined && { mime_type: isShown ? type : markedText(type, MAX_NAME_CHARACTERS) }),
  };
}

function markedQuestion(
  { kind, expires_at, ...written }: Omit<Question, 'text'> & { readonly text?: string | undefined },
  budget: number,
): JsonObject {
  const { text, choices, schema, url } = written;
  return {
    kind,
    ...(expires_at !== undefined && { expires_at }),
    ...(text !== undefined && { text: markedText(text, budget) }),
    ...(choices && { choices: markedJson(cutJson(choices, budget)) }),
    ...(schema !== undefined && { schema: markedJson(cutJson(schema, budget)) }),
    ...(url !== undefined && { url: markedText(url, Math.max(budget, url.length)) }),
  };
}

/** In the details of an error, branches may have been cut. */
function markedBranch(branch: unknown, budget: number, reply?: Reply): unknown {
  if (!isObject(branch)) return branch;
  const { summary, error } = branch;
  return {
    ...branch,
    ...(isObject(summary) && { summary: markedReply(summary as ReplySummary, budget, reply) }),
    ...(isObject(error) && { error: markedError(error as ResultError, budget) }),
  };
}

/** `source` says whose words the message is. */
function markedError({ code, message, details }: ResultError, budget: number): JsonObject {
  // In a list of branches that was cut, the details may be missing.
  if (details === undefined) {
    return { code, message: code === 'A2A_SDK_ERROR' ? markedText(message, budget) : message };
  }
  // Cut first: a marked text must keep its end.
  const shown = cutJson(details, Math.max(budget, MIN_DETAILS_CHARACTERS));
  return {
    code,
    message: details['source'] === 'agent' || '_cut' in details ? markedText(message, budget) : message,
    details: isObject(shown) ? markedDetails(shown, budget) : shown,
  };
}

const CONTENT_REFUSED: A2AErrorCode = 'CONTENT_TYPE_NOT_SUPPORTED';

function hasMismatch({ mismatches }: JsonObject): boolean {
  return Array.isArray(mismatches) && mismatches.length > 0;
}

function markedDetails(details: JsonObject, budget: number): JsonObject {
  const { message_text: text, rpcData, fields, branches, capability_diagnostics: diagnostics } = details;
  const { redirected_to: redirect } = details;
  return {
    ...details,
    ...(typeof redirect === 'string' && { redirected_to: markedText(redirect, redirect.length) }),
    ...(typeof text === 'string' && { message_text: markedText(text, budget) }),
    ...(rpcData !== undefined && { rpcData: markedJson(rpcData) }),
    ...(fields !== undefined && { fields: markedJson(fields) }),
    // Nothing that a model could act on, unless something differs or the agent complains about content.
    capability_diagnostics:
      isObject(diagnostics) && (hasMismatch(diagnostics) || details['errorName'] === CONTENT_REFUSED)
        ? { ...diagnostics, peer_card: markedJson(diagnostics['peer_card']) }
        : undefined,
    ...(Array.isArray(branches) && {
      branches: branches.map((branch: unknown) => markedBranch(branch, Math.floor(budget / branches.length))),
    }),
  };
}
