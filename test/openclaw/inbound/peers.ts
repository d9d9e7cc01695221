import { digestOfKey } from './start-inbound.ts';

/** May use every tool; where one needs permission, the operator is asked. */
export const ADA = 'key-of-ada';
/** May use one tool that only reads. */
export const BERT = 'key-of-bert';
/** May use every tool, and is asked itself before its agent runs a command. */
export const CAREFUL = 'key-of-the-careful-one';

export const PEERS = {
  ada: { keySha256: digestOfKey(ADA), tools: 'all' },
  bert: { keySha256: digestOfKey(BERT), tools: ['read'] },
  careful: { keySha256: digestOfKey(CAREFUL), tools: 'all', mayApprove: true, agentId: 'careful' },
};

/** The agents behind them. */
export const AGENTS = {
  ownership: 'explicit',
  defaults: { systemAgent: { agentId: 'main' } },
  entries: { main: {}, careful: { tools: { exec: { host: 'gateway', mode: 'ask' } } } },
};
