import type { JsonObject, Part } from '@holdword/protocol';
import {
  asObject,
  isObject,
  MOST_ID_CHARACTERS,
  partSchema,
  v03PartToCore,
} from '@holdword/protocol/internal';
import { HubError, invalidParameter } from '../wire/hub-error.ts';
import { configurationOf, firstText } from '../wire/read-fields.ts';
import { ArgumentReader, argumentWarnings, TEXT_FIELDS, type RequestWarning } from './message-arguments.ts';

/** Values of the `mode` parameter, which selects the tone of an answer. */
export const MODES = [
  'auto',
  'neutral',
  'strict_neutral',
  'ops',
  'strict_ops',
  'heartbeat',
  'agent',
  'compact',
] as const;
export type Mode = (typeof MODES)[number];

/** Values of the `profile` parameter. */
export const PROFILES = ['full', 'detailed', 'agent', 'minimal', 'compact', 'legacy'] as const;

/** The profile that an answer is sent in; some values of the parameter are aliases. */
export type ResponseProfile = 'full' | 'agent' | 'minimal' | 'legacy';

/** A part of a message that is not text. */
export interface MessageFile {
  readonly index: number;
  readonly part: Part;
}

/** A decoded `message/send` request, wherever the client put its parameters. */
export interface MessageRequest {
  readonly text: string;
  /** The parts that are not text, files and data, with their indexes. */
  readonly files: readonly MessageFile[];
  readonly mode: Mode;
  readonly profile: ResponseProfile;
  readonly responseMode: 'standard' | 'model_safe';
  readonly includeArtifacts: boolean;
  readonly includeNudge: boolean;
  readonly embedToolSchemas: 'off' | 'compact' | 'full';
  /** The task that the message continues. */
  readonly taskId: string | undefined;
  readonly messageId: string | undefined;
  /** Whether to wait for the agent's answer. */
  readonly blocking: boolean;
  readonly warnings: readonly RequestWarning[];
}

/** The profile that each value of the parameter means. */
const SHAPES: Readonly<Record<(typeof PROFILES)[number], ResponseProfile>> = {
  full: 'full',
  detailed: 'full',
  agent: 'agent',
  minimal: 'minimal',
  compact: 'minimal',
  legacy: 'legacy',
};

/** The default profile of a mode. */
const PROFILE_OF_MODE: Partial<Record<Mode, ResponseProfile>> = {
  agent: 'agent',
  heartbeat: 'agent',
  compact: 'minimal',
};

/** Decodes the parameters of `message/send`; `more` lists parameters that other parts of the hub read. */
export function readMessageRequest(params: JsonObject, more: readonly string[] = []): MessageRequest {
  const reader = new ArgumentReader(params);
  const mode = reader.choice('mode', MODES, 'auto');
  const profile = readProfile(reader, params, mode);
  const taskId =
    firstText(params, ['task_id', 'taskId']) ?? firstText(asObject(params['message']), ['taskId', 'task_id']);
  const messageId = firstText(asObject(params['message']), ['messageId', 'message_id']);
  for (const [field, id] of Object.entries({ task_id: taskId, 'message.messageId': messageId })) {
    if (id !== undefined && id.length > MOST_ID_CHARACTERS)
      throw invalidParameter(field, `a string of at most ${MOST_ID_CHARACTERS} characters`, id);
  }
  const blocking = configurationOf(params)['blocking'];
  const others = otherParts(params);
  return {
    text: readText(params),
    files: others.filter((other) => other.part !== undefined) as MessageFile[],
    mode,
    profile,
    responseMode: reader.choice('response_mode', ['standard', 'model_safe'], 'standard'),
    includeArtifacts: reader.flag('include_artifacts', true),
    includeNudge: reader.flag('include_nudge', true),
    embedToolSchemas: reader.choice('embed_tool_schemas', ['off', 'compact', 'full'], 'off'),
    taskId,
    messageId,
    blocking: reader.flag('blocking', blocking !== false),
    warnings: [
      ...argumentWarnings(params, more),
      ...others
        .filter(({ part }) => part === undefined)
        .map(({ index }) => ({
          code: 'ignored_argument' as const,
          argument: `message.parts[${index}]`,
          message: 'Not a text, file or data part of A2A, ignored.',
        })),
      ...reader.warnings,
    ],
  };
}

/** The request for an agent that accepts only text. */
export function withoutFiles(request: MessageRequest): MessageRequest {
  const warnings = request.files.map(({ index }) => ({
    code: 'ignored_argument' as const,
    argument: `message.parts[${index}]`,
    message: 'The agent that answers here does not accept this part, ignored.',
  }));
  return { ...request, files: [], warnings: [...request.warnings, ...warnings] };
}

function readProfile(reader: ArgumentReader, params: JsonObject, mode: Mode): ResponseProfile {
  const isMinimal = reader.flag('minimal_response', false);
  const isLegacy = reader.flag('legacy_contract', false);
  if (params['profile'] !== undefined && params['profile'] !== null)
    return SHAPES[reader.choice('profile', PROFILES, 'full')];
  if (isLegacy) return 'legacy';
  return isMinimal ? 'minimal' : (PROFILE_OF_MODE[mode] ?? 'full');
}

/** Reads the text of a message: its text parts or the first non-empty text field. */
function readText(params: JsonObject): string {
  const message = params['message'];
  if (typeof message === 'string' && message.trim() !== '') return message;
  const parts = asObject(message)['parts'];
  const texts = Array.isArray(parts) ? parts.map(textOfPart).filter((text) => text !== undefined) : [];
  const text =
    texts.length > 0
      ? texts.join('\n')
      : (firstText(asObject(message), TEXT_FIELDS) ?? firstText(params, TEXT_FIELDS));
  if (text !== undefined && text.trim() !== '') return text;
  throw new HubError('DELX-A2A-1004', 'The message has no text.', {
    hint: 'Send "message": {"role": "user", "parts": [{"kind": "text", "text": "…"}]}.',
    details: { field: 'message.parts' },
  });
}

/** The parts that are not text with their indexes; undefined for what is not a part of A2A. */
function otherParts(params: JsonObject): { index: number; part: Part | undefined }[] {
  const parts = asObject(params['message'])['parts'];
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((value: unknown, index) => {
    if (textOfPart(value) !== undefined) return [];
    const kind = asObject(value)['kind'] ?? asObject(value)['type'];
    const part = partSchema.safeParse(
      kind === undefined ? value : v03PartToCore({ ...asObject(value), kind }),
    );
    return [{ index, part: part.data }];
  });
}

/** A2A 0.3 has `kind`, A2A 1.0 has neither, and some clients send `type`. */
function textOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  const kind = part['kind'] ?? part['type'] ?? 'text';
  return kind === 'text' && typeof part['text'] === 'string' ? part['text'] : undefined;
}
