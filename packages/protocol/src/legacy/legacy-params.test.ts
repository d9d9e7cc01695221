import { describe, expect, it } from 'vitest';
import { decodeLegacyParams } from './legacy-params.ts';

const message = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }] };

describe('decodeLegacyParams', () => {
  it('keeps a valid message as it is, with the fields nobody knows', () => {
    const parts = [
      { kind: 'text', text: '' },
      { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'a' } },
      { kind: 'file', file: { uri: 'https://a.example' } },
      { kind: 'data', data: { a: null }, metadata: { b: 1 } },
    ];
    const params = { message: { ...message, parts, more: 1 }, metadata: { c: 1 } };
    expect(decodeLegacyParams('sendMessage', params)).toEqual(params);
  });

  it('waits for the answer unless told otherwise', () => {
    const blocking = (configuration: object) => decodeLegacyParams('sendMessage', { message, configuration });
    expect(blocking({})).toMatchObject({ configuration: { blocking: true } });
    expect(blocking({ blocking: null })).toMatchObject({ configuration: { blocking: true } });
    expect(blocking({ blocking: false })).toMatchObject({ configuration: { blocking: false } });
    expect(decodeLegacyParams('sendMessage', { message })).toEqual({ message });
  });

  it.each([
    ['sendMessage', {}, 'message'],
    ['sendMessage', { message: { ...message, role: 'ROLE_USER' } }, 'message.role'],
    ['sendMessage', { message: { ...message, parts: [] } }, 'message.parts'],
    ['sendMessage', { message: { ...message, messageId: undefined } }, 'message.messageId'],
    ['sendMessage', { message: { ...message, parts: [{ text: 'no kind' }] } }, 'message.parts[0].kind'],
    ['sendMessage', { message: { ...message, parts: [{ kind: 'text' }] } }, 'message.parts[0].text'],
    ['sendMessage', { message: { ...message, parts: [{ kind: 'file' }] } }, 'message.parts[0].file'],
    [
      'sendMessage',
      { message: { ...message, parts: [{ kind: 'file', file: {} }] } },
      'message.parts[0].file',
    ],
    [
      'sendMessage',
      { message: { ...message, parts: [{ kind: 'file', file: { bytes: '%' } }] } },
      'message.parts[0].file.bytes',
    ],
    ['sendMessage', { message: { ...message, parts: [{ kind: 'data', data: 7 }] } }, 'message.parts[0].data'],
    ['sendMessage', { message, configuration: { historyLength: -1 } }, 'configuration.historyLength'],
    ['getTask', {}, 'id'],
    ['getTask', { id: 't-1', historyLength: 1.5 }, 'historyLength'],
    ['cancelTask', { id: 7 }, 'id'],
    ['subscribeToTask', { id: '' }, 'id'],
    ['createTaskPushNotificationConfig', { taskId: 't-1' }, 'pushNotificationConfig'],
    ['deleteTaskPushNotificationConfig', { id: 't-1' }, 'pushNotificationConfigId'],
  ] as const)('refuses %s with %j', (operation, params, field) => {
    expect(() => decodeLegacyParams(operation, params)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS', fields: [expect.objectContaining({ field })] }),
    );
  });
});
