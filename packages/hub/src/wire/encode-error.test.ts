import { A2AError } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { toHubError, toRestAnswer } from './encode-error.ts';
import { HubError, RestError } from './hub-error.ts';

describe('toHubError', () => {
  it('returns a HubError unchanged', () => {
    const error = new HubError('DELX-A2A-1005', 'No agent.');
    expect(toHubError(error)).toBe(error);
  });

  it.each([
    ['TASK_NOT_FOUND', 'DELX-A2A-1011', 200],
    ['INVALID_PARAMS', 'DELX-A2A-1004', 200],
    ['TASK_NOT_CANCELABLE', 'DELX-A2A-1012', 200],
    ['UNAUTHENTICATED', 'DELX-A2A-1401', 401],
    ['PERMISSION_DENIED', 'DELX-A2A-1099', 403],
    ['RESOURCE_EXHAUSTED', 'DELX-A2A-1099', 429],
    ['UNAVAILABLE', 'DELX-A2A-1099', 200],
  ] as const)('maps the A2A error %s to %s', (code, hubCode, httpStatus) => {
    const error = toHubError(new A2AError(code, 'Why.'));
    expect(error).toMatchObject({ code: hubCode, httpStatus, message: 'Why.' });
  });

  it('says when to retry', () => {
    const error = toHubError(new A2AError('RESOURCE_EXHAUSTED', 'Full.', { retryAfterSeconds: 5 }));
    expect(error).toMatchObject({ headers: { 'Retry-After': '5' }, hint: 'Try again in 5 s.' });
  });

  it('does not expose the details of an internal error', () => {
    const error = toHubError(new Error('ENOENT: /secret/path'));
    expect(error).toMatchObject({
      code: 'DELX-A2A-1500',
      message: 'Internal error while handling a request.',
    });
  });
});

describe('toRestAnswer', () => {
  it.each([
    [new RestError(404, 'session_not_found', 'None.', 'Look.'), 404, 'session_not_found'],
    [new HubError('DELX-A2A-1401', 'Who?'), 401, 'DELX-A2A-1401'],
    [new HubError('DELX-A2A-1004', 'What?'), 400, 'DELX-A2A-1004'],
    [new HubError('DELX-A2A-1099', 'Taken.'), 409, 'DELX-A2A-1099'],
    [new Error('inside'), 500, 'DELX-A2A-1500'],
  ])('sends %s with its HTTP status', (error, status, code) => {
    expect(toRestAnswer(error)).toMatchObject({ status, body: { status: 'error', error: { code } } });
  });
});
