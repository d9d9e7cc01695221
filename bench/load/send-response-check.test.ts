import { describe, expect, it } from 'vitest';
import { SendResponseCheck } from './send-response-check.ts';

const response = (state: string, text: string) => ({
  jsonrpc: '2.0',
  id: 'bench-1',
  result: { task: { id: 't', status: { state }, artifacts: [{ artifactId: 'a', parts: [{ text }] }] } },
});

function read(body: object, status = 200): void {
  const answer = new SendResponseCheck('bench-1', 'hello');
  const bytes = Buffer.from(JSON.stringify(body));
  answer.body(bytes.subarray(0, 10));
  answer.body(bytes.subarray(10));
  answer.end(status);
}

describe('SendResponseCheck', () => {
  it('accepts a completed task with its artifact', () => {
    expect(() => read(response('TASK_STATE_COMPLETED', 'hello'))).not.toThrow();
  });

  it('rejects every other response', () => {
    const right = response('TASK_STATE_COMPLETED', 'hello');
    expect(() => read(right, 500)).toThrow('received 500');
    expect(() => read(response('TASK_STATE_WORKING', 'hello'))).toThrow('completed task');
    expect(() => read(response('TASK_STATE_COMPLETED', 'other'))).toThrow('"hello"');
    expect(() => read({ ...right, id: 'bench-2' })).toThrow('for bench-1');
    expect(() => read({ jsonrpc: '2.0', id: 'bench-1', error: { code: -32603 } })).toThrow('-32603');
  });

  it('always rejects a task without its artifact, even if the text is elsewhere', () => {
    const right = response('TASK_STATE_COMPLETED', 'hello');
    const status = { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'hello' }] } };
    for (let count = 0; count < 32; count += 1) {
      expect(() => read({ ...right, result: { task: { id: 't', status } } })).toThrow('artifact "hello"');
      expect(() => read({ ...right, result: { task: { id: 't', status, artifacts: [] } } })).toThrow(
        'artifact',
      );
    }
  });

  it('parses some responses', () => {
    const right = response('TASK_STATE_COMPLETED', 'hello');
    const { task } = right.result;
    const twice = {
      ...right,
      result: { task: { ...task, artifacts: [...task.artifacts, ...task.artifacts] } },
    };
    const readMany = (): void => {
      for (let count = 0; count < 100; count += 1) read(twice);
    };
    expect(readMany).toThrow('completed task');
  });
});
