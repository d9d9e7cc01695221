import { TerminalError, type Executor } from '@holdword/runtime';

const agent: Executor = {
  card: { name: 'Picky', description: 'Accepts polite requests.' },

  async execute(turn, sink) {
    const text = turn.message.parts.map((part) => part.text ?? '').join('');
    if (!text.includes('please')) throw new TerminalError('Say please.');
    await sink.complete('Here you are.');
  },
};

export default agent;
