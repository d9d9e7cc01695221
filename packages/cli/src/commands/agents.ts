import {
  addConnectedAgent,
  listConnectedAgents,
  removeConnectedAgent,
  rotateConnectedAgent,
  type ConnectedAgent,
  type IssuedAgent,
} from '@holdword/runtime/connect';
import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData, printTable } from '../command-line/json-output.ts';
import { listed } from './command-list.ts';
import { STORE_OPTIONS, withExistingStore, withStore } from './with-store.ts';

const PAGE = 'guides/agents-without-an-address.md';

const agentsAdd: Command = {
  ...listed('agents add'),
  details:
    'Prints the token with which workers of the agent connect to this host. It is printed once; only its hash is stored.',
  options: {
    callers: {
      value: 'NAMES',
      description: 'The API keys whose holders may call the agent, by name, separated by commas',
      default: 'everyone who may call this server',
    },
    ...JSON_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    { comment: 'Add an agent that runs on a laptop', command: 'holdword agents add laptop' },
    { comment: 'Let only Ada and Bob call it', command: 'holdword agents add laptop --callers ada,bob' },
  ],
  page: PAGE,
  async run(input) {
    const [name = ''] = input.operands;
    const callers = input.options['callers']?.split(',').map((caller) => caller.trim());
    const issued = await withStore(input, 'agents', (store) => addConnectedAgent(store, { name, callers }));
    return shown(input, issued, `Added agent "${name}". Its token is not shown again.`);
  },
};

const agentsRotate: Command = {
  ...listed('agents rotate'),
  details:
    'The old token stops working at once. Workers that have it are refused until they get the new one.',
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [{ comment: 'Replace a token that has leaked', command: 'holdword agents rotate laptop' }],
  page: PAGE,
  async run(input) {
    const [name = ''] = input.operands;
    const issued = await withExistingStore(input, 'agents', (store) => rotateConnectedAgent(store, name));
    return shown(input, issued, `Agent "${name}" has a new token. It is not shown again.`);
  },
};

function shown(input: CommandInput, { agent, token }: IssuedAgent, text: string): number {
  printData(input, { ...agent, token }, () => input.terminal.out(`${token}\n`));
  input.terminal.error(
    `${text}\nWorkers connect with: HOLDWORD_WORKER_TOKEN=TOKEN holdword connect URL --agent AGENT\n`,
  );
  return 0;
}

const agentsList: Command = {
  ...listed('agents list'),
  options: { ...JSON_OPTION, ...STORE_OPTIONS },
  examples: [{ comment: 'List the agents of a host', command: 'holdword agents list' }],
  page: PAGE,
  async run(input) {
    const agents = await withExistingStore(input, 'agents', (store) => listConnectedAgents(store));
    const none = 'There are no agents. Add one with: holdword agents add NAME';
    const head = ['NAME', 'CARD', 'CALLERS', 'CREATED'];
    printTable(input, { agents }, { head, rows: agents.map(rowOf), none });
    return 0;
  },
};

function rowOf({ name, card, callers = ['everyone'], createdAt }: ConnectedAgent): string[] {
  return [name, card?.name ?? 'never connected', callers.join(','), createdAt];
}

const agentsRemove: Command = {
  ...listed('agents remove'),
  details: 'Its workers are refused. Its tasks stay, and belong to the next agent of the same name.',
  options: STORE_OPTIONS,
  examples: [{ comment: 'Remove an agent', command: 'holdword agents remove laptop' }],
  page: PAGE,
  async run(input) {
    const [name = ''] = input.operands;
    await withExistingStore(input, 'agents', (store) => removeConnectedAgent(store, name));
    input.terminal.error(`Removed agent "${name}".\n`);
    return 0;
  },
};

export const commands: readonly Command[] = [agentsAdd, agentsList, agentsRotate, agentsRemove];
