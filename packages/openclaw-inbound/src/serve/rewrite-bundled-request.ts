import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';

const ROLES: Readonly<Record<string, string>> = { user: 'ROLE_USER', agent: 'ROLE_AGENT' };

/**
 * Rewrites a request that OpenClaw's bundled channel accepts to A2A 1.0: adds a missing message id, converts 0.3 roles and
 * kinds, and drops files. Anything else that is not valid in 1.0 is kept, so that validation reports it.
 */
export function rewriteBundledRequest(body: string): string {
  const call = parse(body);
  if (!isObject(call) || !isObject(call['params'])) return body;
  const { message, configuration, ...params } = call['params'];
  if (!isObject(message)) return body;
  return JSON.stringify({
    ...call,
    params: {
      ...params,
      message: messageOf(message),
      ...(configuration !== undefined && { configuration: configurationOf(configuration) }),
    },
  });
}

function messageOf(given: JsonObject): JsonObject {
  const { kind: _, ...message } = given;
  const { role, parts } = message;
  return {
    messageId: randomUUID(),
    ...message,
    ...(typeof role === 'string' && { role: ROLES[role] ?? role }),
    ...(Array.isArray(parts) && { parts: parts.filter((part) => !isFile(part)).map(partOf) }),
  };
}

function partOf<Part>(part: Part): Part | JsonObject {
  if (!isObject(part)) return part;
  const { kind: _, ...rest } = part;
  return rest;
}

function isFile(part: unknown): boolean {
  return isObject(part) && ['raw', 'url', 'file'].some((name) => part[name] !== undefined);
}

/** The bundled channel always blocks. */
function configurationOf<Configuration>(configuration: Configuration): Configuration | JsonObject {
  if (!isObject(configuration)) return configuration;
  const { blocking: _, ...rest } = configuration;
  return rest;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
