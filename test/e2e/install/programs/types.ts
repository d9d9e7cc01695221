import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';
import { TerminalError, type Executor } from '@holdword/runtime';

const agent: Executor = {
  async execute(turn, sink) {
    if (turn.taskId === '') throw new TerminalError('There is always a task.');
    await sink.complete(turn.taskId);
  },
};

// @ts-expect-error An executor has to execute something: these are types, not `any`.
const broken: Executor = { execute: 'nothing' };

const tools = new A2ATools(new A2ASession(new A2AAgents()));

export default [agent, broken, tools];
