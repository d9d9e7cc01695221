import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';

const ROLES: Readonly<Record<string, string>> = { user: 'ROLE_USER', agent: 'ROLE_AGENT' };

/**
 * Makes a call of 1.0 of one that OpenClaw's own channel takes: a message without an id, the roles and kinds of 0.3, files
 * that nobody looks at. Whatever else is not of 1.0 stays, and is refused with its place.
 */
export function acceptBundledCall(body: string): string {
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

/** That channel always waits, whatever a client of 0.3 asks for. */
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
