import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import {
  type MessageRequest,
  type Mode,
  MODES,
  PROFILES,
  type ResponseProfile,
} from '../contracts/message-request.ts';
import { configurationOf, firstText } from '../wire/read-fields.ts';
import { ArgumentReader, argumentWarnings } from './arguments.ts';
import { otherParts, readText } from './read-text.ts';

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
  const blocking = configurationOf(params)['blocking'];
  return {
    text: readText(params),
    mode,
    profile,
    responseMode: reader.choice('response_mode', ['standard', 'model_safe'], 'standard'),
    includeArtifacts: reader.flag('include_artifacts', true),
    includeNudge: reader.flag('include_nudge', true),
    embedToolSchemas: reader.choice('embed_tool_schemas', ['off', 'compact', 'full'], 'off'),
    ...(taskId !== undefined && { taskId }),
    ...(messageId !== undefined && { messageId }),
    blocking: reader.flag('blocking', blocking !== false),
    warnings: [
      ...argumentWarnings(params, more),
      ...otherParts(params).map((index) => ({
        code: 'ignored_argument' as const,
        argument: `message.parts[${index}]`,
        message: 'Only text parts are supported here. Send other parts with the A2A method SendMessage.',
      })),
      ...reader.warnings,
    ],
  };
}

function readProfile(reader: ArgumentReader, params: JsonObject, mode: Mode): ResponseProfile {
  const isMinimal = reader.flag('minimal_response', false);
  const isLegacy = reader.flag('legacy_contract', false);
  if (params['profile'] !== undefined && params['profile'] !== null)
    return SHAPES[reader.choice('profile', PROFILES, 'full')];
  if (isLegacy) return 'legacy';
  return isMinimal ? 'minimal' : (PROFILE_OF_MODE[mode] ?? 'full');
}
