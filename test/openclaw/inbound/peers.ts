import { digestOfKey } from './start-inbound.ts';

/** May use all tools; the operator decides approvals. */
export const ADA = 'key-of-ada';
/** May use one read-only tool. */
export const BERT = 'key-of-bert';
/** May use one read-only tool, and sees the private files of the agent's workspace. */
export const CLARA = 'key-of-clara';
/** May use all tools, and decides approvals itself. */
export const CAREFUL = 'key-of-the-careful-one';

export const PEERS = {
  ada: { keySha256: digestOfKey(ADA), tools: 'all' },
  bert: { keySha256: digestOfKey(BERT), tools: ['read'] },
  clara: { keySha256: digestOfKey(CLARA), tools: ['read'], privateFiles: true },
  careful: { keySha256: digestOfKey(CAREFUL), tools: 'all', mayApprove: true, agentId: 'careful' },
};

/** The agents behind them. */
export const AGENTS = {
  ownership: 'explicit',
  defaults: { systemAgent: { agentId: 'main' } },
  entries: { main: {}, careful: { tools: { exec: { host: 'gateway', mode: 'ask' } } } },
};

/** OpenClaw itself adds the first one when agents become explicit. */
export const BINDINGS = [
  { agentId: 'main', match: { channel: 'a2a', accountId: '*' } },
  { agentId: 'main', match: { channel: 'a2a', accountId: 'rerouted' } },
];
