import { asObject, nearestName, shorten } from '@holdword/protocol/internal';
import { Ajv, type ErrorObject } from 'ajv';
import { isBase64 } from '../base64.ts';
import type { Action, RemoteAgentRequest } from '../contract.ts';
import { runtimeIssue, validationError, type ValidationIssue } from '../remote-agent-error.ts';
import { REQUEST_SCHEMA } from './request.ts';

/** Returns the validated request, or throws a RemoteAgentError that lists all issues. */
type RequestCheck = (params: unknown) => RemoteAgentRequest;

/**
 * Checks requests against the schema, without coercion, defaults or removal of fields, and then against the rules that the
 * schema cannot express: about a request of the wrong form they would be noise.
 */
export function checkRequest(hasDefaultTarget: boolean): RequestCheck {
  // strictRequired is off because `required` inside `anyOf` refers to properties of the enclosing object.
  const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true, discriminator: true });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  const validate = ajv.compile<RemoteAgentRequest>(REQUEST_SCHEMA);
  return (params) => {
    if (!validate(params)) {
      const errors = validate.errors ?? [];
      const hints = [...new Set(errors.flatMap(hintFor))];
      throw validationError(errors.map(schemaIssue), hints.length > 0 ? { hint: hints.join(' ') } : {});
    }
    const issues = [...fieldIssues(params), ...ruleIssues(params, { hasDefaultTarget })];
    if (issues.length > 0) throw validationError(issues);
    return params;
  };
}

function schemaIssue({ keyword, instancePath, schemaPath, params, message }: ErrorObject): ValidationIssue {
  return { keyword, instancePath, schemaPath, params: { ...params }, message: message ?? 'is invalid' };
}

/** Fields that models make up for what the tool takes as parts. */
const NAMES_OF_TEXT: ReadonlySet<string> = new Set([
  'message',
  'text',
  'prompt',
  'input',
  'content',
  'query',
]);

/** What to do about the commonest mistakes, where the message of the schema does not say it. */
function hintFor({ keyword, instancePath, params }: ErrorObject): string[] {
  const { allowedValues, additionalProperty: unknown } = params as {
    allowedValues?: readonly string[];
    additionalProperty?: string;
  };
  const field = instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'enum' && allowedValues !== undefined) {
    return [`Set ${field} to one of: ${allowedValues.join(', ')}.`];
  }
  if (/^parts\.\d+(\.kind)?$/.test(field) && (keyword === 'discriminator' || isMissingKind(params))) {
    return [
      'Give each part a kind: {"kind":"text","text":"…"}, or kind "file" with uri or bytes, or "data" with data.',
    ];
  }
  if (keyword === 'additionalProperties' && unknown !== undefined && field === '') {
    if (NAMES_OF_TEXT.has(unknown)) {
      return [`Send the text in parts instead of "${unknown}": "parts":[{"kind":"text","text":"…"}].`];
    }
    const near = nearestName(toSnakeCase(unknown), SEND_AND_WATCH);
    return [
      near === undefined
        ? `Remove "${shorten(unknown, 100)}", which is not a field of this tool.`
        : `"${shorten(unknown, 100)}" is not a field of this tool; did you mean "${near}"?`,
    ];
  }
  return [];
}

function isMissingKind(params: unknown): boolean {
  return asObject(params)['missingProperty'] === 'kind';
}

/** `targetAlias` as `target_alias`. */
function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type Field = keyof RemoteAgentRequest;

const FOLLOW_UP: readonly Field[] = [
  'action',
  'target_alias',
  'target_url',
  'task_handle',
  'continuation',
  'task_id',
  'timeout_ms',
  'service_parameters',
];

const SEND: readonly Field[] = [
  ...FOLLOW_UP,
  'target_aliases',
  'collect',
  'parts',
  'message_id',
  'context_id',
  'reference_task_ids',
  'task_requirement',
  'follow_updates',
  'accepted_output_modes',
  'blocking',
  'history_length',
  'push_notification_config',
  'metadata',
];

const SEND_AND_WATCH: readonly Field[] = [...SEND, 'wait_for'];

const FIELDS: Readonly<Record<Action, readonly Field[]>> = {
  list_targets: ['action'],
  send: SEND,
  watch: [...FOLLOW_UP, 'wait_for'],
  status: [...FOLLOW_UP, 'history_length'],
  cancel: FOLLOW_UP,
};

/** Issues for fields that the request's action does not support. */
function fieldIssues(request: RemoteAgentRequest): ValidationIssue[] {
  const { action } = request;
  const allowed: readonly string[] = FIELDS[action];
  return Object.keys(request)
    .filter((field) => !allowed.includes(field))
    .map((field) =>
      runtimeIssue('not', `"${field}" is not supported for action=${action}`, { field, action }, `/${field}`),
    );
}

/** The configuration that the rules depend on. */
interface RuleContext {
  readonly hasDefaultTarget: boolean;
}

const NOT_WITH_CONTINUATION = ['task_handle', 'task_id', 'context_id', 'target_alias', 'target_url'] as const;
const NOT_WITH_TARGET_ALIASES = [...NOT_WITH_CONTINUATION, 'continuation', 'message_id'] as const;
const NOT_WITH_WAIT_FOR = ['task_handle', 'task_id', 'target_alias', 'target_url', 'continuation'] as const;
/** Headers set by HTTP or A2A. */
const RESERVED_HEADERS =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|content-type|content-encoding|expect|accept|a2a-version|last-event-id)$/i;
/** Headers with credentials, which come from the user's configuration alone. */
const CREDENTIAL_HEADERS = /^(authorization|proxy-authorization|cookie)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Rules that the schema cannot express: which fields may be combined, and what each action requires. */
function ruleIssues(request: RemoteAgentRequest, context: RuleContext): ValidationIssue[] {
  return [
    ...parameterIssues(request),
    ...mixingIssues(request),
    ...(request.action === 'send' ? sendIssues(request, context) : []),
    ...(request.action === 'send' || request.action === 'list_targets'
      ? []
      : followUpIssues(request, context)),
  ];
}

function parameterIssues({ service_parameters: parameters = {} }: RemoteAgentRequest): ValidationIssue[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (CREDENTIAL_HEADERS.test(name)) return [credentialIssue(name)];
    const isValid = HEADER_NAME.test(name) && !RESERVED_HEADERS.test(name) && !/[\r\n\0]/.test(value);
    return isValid
      ? []
      : [
          parameterIssue(
            name,
            'is not a valid service parameter: expected an HTTP header name that is not reserved and a single-line value',
          ),
        ];
  });
}

/** The issue of a service parameter that would send credentials chosen by a model. */
export function credentialIssue(name: string): ValidationIssue {
  return parameterIssue(
    name,
    'is reserved for credentials, which the user configures as auth of the target: leave it out',
  );
}

function parameterIssue(name: string, problem: string): ValidationIssue {
  return runtimeIssue('pattern', `"${shorten(name, 100)}" ${problem}`, { name }, '/service_parameters');
}

function mixingIssues(request: RemoteAgentRequest): ValidationIssue[] {
  const together = (field: keyof RemoteAgentRequest, others: readonly (keyof RemoteAgentRequest)[]) =>
    request[field] === undefined
      ? []
      : others
          .filter((other) => request[other] !== undefined)
          .map((other) =>
            runtimeIssue(
              'not',
              `"${field}" cannot be combined with "${other}"`,
              { field, other },
              `/${other}`,
            ),
          );
  return [
    ...together('continuation', NOT_WITH_CONTINUATION),
    ...together('target_aliases', NOT_WITH_TARGET_ALIASES),
    ...together('wait_for', NOT_WITH_WAIT_FOR),
  ];
}

function sendIssues(request: RemoteAgentRequest, { hasDefaultTarget }: RuleContext): ValidationIssue[] {
  const { parts, blocking, follow_updates, continuation, target_aliases, collect } = request;
  const issues: ValidationIssue[] = [];
  if (parts === undefined) {
    issues.push(runtimeIssue('required', 'send requires parts', { missingProperty: 'parts' }));
  }
  for (const [index, part] of (parts ?? []).entries()) {
    if (part.kind !== 'file' || part.bytes === undefined || isBase64(part.bytes)) continue;
    const found = JSON.stringify(shorten(part.bytes, 40));
    const text = `bytes must be the content of the file in Base64, not ${found}; send text as kind "text"`;
    issues.push(runtimeIssue('contentEncoding', text, { field: 'bytes' }, `/parts/${index}/bytes`));
  }
  if (blocking !== undefined && follow_updates === true) {
    issues.push(
      runtimeIssue(
        'not',
        'blocking is not supported when follow_updates=true',
        { field: 'blocking' },
        '/blocking',
      ),
    );
  }
  if (collect !== undefined && target_aliases === undefined) {
    issues.push(runtimeIssue('dependentRequired', 'collect requires target_aliases', {}, '/collect'));
  }
  if (continuation !== undefined) {
    if (continuation.task === undefined && continuation.conversation === undefined) {
      issues.push(
        runtimeIssue(
          'anyOf',
          'send requires continuation.task or continuation.conversation',
          {},
          '/continuation',
        ),
      );
    }
    return issues;
  }
  const { task_handle, target_alias, target_url } = request;
  const hasTarget = [task_handle, target_alias, target_url, target_aliases].some(
    (each) => each !== undefined,
  );
  if (!hasTarget && !hasDefaultTarget) {
    issues.push(
      runtimeIssue(
        'anyOf',
        'send requires task_handle, target_alias, target_url, or a configured default target',
      ),
    );
  }
  return issues;
}

function followUpIssues(request: RemoteAgentRequest, { hasDefaultTarget }: RuleContext): ValidationIssue[] {
  const { action, continuation, task_handle, task_id, target_alias, target_url, wait_for } = request;
  if (wait_for !== undefined) return [];
  if (continuation !== undefined) {
    if (continuation.task !== undefined) return [];
    return [
      runtimeIssue(
        'required',
        `${action} requires continuation.task.task_id; a conversation without a task can only be continued with send`,
        { missingProperty: 'task' },
        '/continuation',
      ),
    ];
  }
  if (task_handle !== undefined) return [];
  if (task_id === undefined) {
    return [runtimeIssue('anyOf', `${action} requires continuation, task_handle or task_id`)];
  }
  if (target_alias !== undefined || target_url !== undefined || hasDefaultTarget) return [];
  return [
    runtimeIssue(
      'anyOf',
      `${action} with task_id requires target_alias, target_url, or a configured default target`,
    ),
  ];
}
