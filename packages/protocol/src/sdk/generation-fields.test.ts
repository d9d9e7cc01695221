import { A2AService } from '@a2a-js/sdk/server/grpc';
import { describe, expect, it } from 'vitest';
import { decodeOperation } from '../operations.ts';
import { grpcProcedure } from './grpc.ts';

const status = { state: 'TASK_STATE_WORKING' } as const;
const ids = { taskId: 't', contextId: 'c' };
const task = { id: 't', contextId: 'c', status };
const artifact = { artifactId: 'a', parts: [{ text: 'x' }] };
const message = { messageId: 'm', taskId: 't', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const;

/** `Task{id:"t", contextId:"c", status{state:WORKING}}` as protoc writes it. */
const TASK = '0a01741201631a020802';

describe('the messages of A2A 1.1 over gRPC', () => {
  it('have the generation of a task in field 7', () => {
    const { encodeResponse } = grpcProcedure('getTask', '1.1');
    expect(hex(encodeResponse({ ...task, generation: '5' }))).toBe(`${TASK}3805`);
    expect(hex(encodeResponse(task))).toBe(TASK);
  });

  it('have the generation of each event in its own message', () => {
    const { encodeResponse } = grpcProcedure('subscribeToTask', '1.1');
    expect(hex(encodeResponse({ task: { ...task, generation: '1' } }))).toBe(`0a0c${TASK}3801`);
    expect(hex(encodeResponse({ statusUpdate: { ...ids, status, generation: '300' } }))).toBe(
      `1a0d${TASK}28ac02`,
    );
    expect(hex(encodeResponse({ artifactUpdate: { ...ids, artifact, generation: '3' } }))).toBe(
      '22120a01741201631a080a016122030a01783803',
    );
  });

  it('have one in each task of a page', () => {
    const { encodeResponse } = grpcProcedure('listTasks', '1.1');
    const tasks = [{ ...task, generation: '1' }, task, { ...task, generation: '2' }];
    expect(hex(encodeResponse({ tasks, nextPageToken: 'n', pageSize: 3, totalSize: 9 }))).toBe(
      `0a0c${TASK}38010a0a${TASK}0a0c${TASK}380212016e18032009`,
    );
  });

  it('are read by code that does not know the field', () => {
    const bytes = grpcProcedure('getTask', '1.1').encodeResponse({ ...task, generation: '5' });
    expect(grpcProcedure('getTask', '1.0').decodeResponse(bytes)).toEqual(
      grpcProcedure('getTask', '1.0').decodeResponse(Buffer.from(TASK, 'hex')),
    );
    expect(A2AService.getTask.responseDeserialize(bytes)).toMatchObject({ id: 't' });
  });

  it.each([
    ['sendMessage', { task: { ...task, generation: '2' } }],
    ['sendMessage', { message }],
    ['sendStreamingMessage', { statusUpdate: { ...ids, status, generation: '9007199254740991' } }],
    ['subscribeToTask', { artifactUpdate: { ...ids, artifact, generation: '3' } }],
    ['cancelTask', { ...task, generation: '4' }],
    [
      'listTasks',
      { tasks: [{ ...task, generation: '1' }, task], nextPageToken: 'n', pageSize: 2, totalSize: 2 },
    ],
  ] as const)('of %s are read as they were written', (operation, value) => {
    const { encodeResponse, decodeResponse } = grpcProcedure(operation, '1.1');
    expect(decodeResponse(encodeResponse(value))).toEqual(value);
  });

  it('have the current generation of GetTask in field 4', () => {
    const { encodeRequest, decodeRequest } = grpcProcedure('getTask', '1.1');
    expect(hex(encodeRequest({ id: 't', currentGeneration: 5 }))).toBe('1201742005');
    const request = decodeRequest(Buffer.from('12017420ac02', 'hex'));
    expect(decodeOperation('getTask', request).request).toEqual({ id: 't', currentGeneration: 300 });
    expect(decodeRequest(Buffer.from('120174', 'hex'))).not.toHaveProperty('currentGeneration');
  });

  it('have the precondition of a message in field 5 of its configuration', () => {
    const { encodeRequest, decodeRequest } = grpcProcedure('sendMessage', '1.1');
    const request = { message, configuration: { returnImmediately: true, ifGenerationMatch: 7 } };
    const bytes = encodeRequest(request);
    expect(hex(bytes)).toMatch(/1a0420012807$/);
    expect(decodeOperation('sendMessage', decodeRequest(bytes)).request).toMatchObject(request);
    expect(hex(encodeRequest({ message, configuration: { ifGenerationMatch: 7 } }))).toMatch(/1a022807$/);
  });

  it('have it also if the configuration is in two pieces', () => {
    const { encodeRequest, decodeRequest } = grpcProcedure('sendMessage', '1.1');
    const bytes = Buffer.concat([encodeRequest({ message }), Buffer.from('1a0228071a022001', 'hex')]);
    expect(decodeRequest(bytes)).toMatchObject({
      configuration: { returnImmediately: true, ifGenerationMatch: '7' },
    });
  });
});

describe('the messages of A2A 1.0 over gRPC', () => {
  it('have no generation, whatever they are made from', () => {
    const { encodeResponse } = grpcProcedure('getTask', '1.0');
    expect(hex(encodeResponse({ ...task, generation: '5' }))).toBe(TASK);
    const { decodeRequest } = grpcProcedure('getTask', '1.0');
    expect(decodeRequest(Buffer.from('1201742005', 'hex'))).not.toHaveProperty('currentGeneration');
  });
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
