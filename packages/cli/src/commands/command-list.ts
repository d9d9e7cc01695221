import type { CommandSummary, CommandTopic } from '../command-line/command.ts';

/** All commands. They are listed apart from what they do, so that the overview loads none of it. */
export const COMMAND_LIST = [
  { name: 'serve', summary: 'Serve an agent over A2A.' },
  { name: 'hub', summary: 'Serve a hub: identities, sessions, heartbeats and hand-off for agents.' },
  { name: 'hub agents list', summary: 'List the agents of a hub, with their health.' },
  { name: 'hub agents show', operands: ['NAME'], summary: 'Show an agent of a hub and its heartbeats.' },
  { name: 'hub agents block', operands: ['NAME'], summary: 'Block an agent of a hub.' },
  { name: 'hub agents unblock', operands: ['NAME'], summary: 'Unblock an agent of a hub.' },
  {
    name: 'hub agents delete',
    operands: ['NAME'],
    summary: 'Delete an agent of a hub; its name stays reserved.',
  },
  { name: 'hub agents rotate', operands: ['NAME'], summary: 'Replace the token of an agent of a hub.' },
  { name: 'hub sessions list', summary: 'List the sessions of a hub, newest first.' },
  { name: 'hub sessions show', operands: ['ID'], summary: 'Show a session of a hub.' },
  { name: 'hub handoffs list', summary: 'List the hand-offs of a hub, newest first.' },
  { name: 'hub handoffs show', operands: ['ID'], summary: 'Show a hand-off of a hub.' },
  { name: 'hub alarms list', summary: 'List the alarms of a hub: missing and returned agents.' },
  { name: 'hub alarms show', operands: ['ID'], summary: 'Show an alarm of a hub.' },
  {
    name: 'connect',
    operands: ['URL'],
    summary: 'Connect an agent of this machine to a host, which serves it.',
  },
  { name: 'agents add', operands: ['NAME'], summary: 'Add an agent that connects to this host.' },
  { name: 'agents list', summary: 'List the agents that connect to this host.' },
  { name: 'agents rotate', operands: ['NAME'], summary: 'Replace the token of such an agent.' },
  { name: 'agents remove', operands: ['NAME'], summary: 'Remove such an agent.' },
  { name: 'send', furtherOperands: 'TEXT', summary: 'Send a message to an agent, and wait for its answer.' },
  { name: 'chat', summary: 'Talk with an agent in the terminal.' },
  { name: 'card get', summary: 'Show the card of an agent: what it can do, and how to call it.' },
  { name: 'task get', operands: ['TASK'], summary: 'Show a task of an agent, or wait for it.' },
  { name: 'task list', summary: 'List your tasks at an agent.' },
  { name: 'task cancel', operands: ['TASK'], summary: 'Cancel a task of an agent.' },
  { name: 'task subscribe', operands: ['TASK'], summary: 'Follow a task of an agent.' },
  {
    name: 'task fork',
    operands: ['TASK'],
    summary: 'Start a new task from what a task had after an event.',
  },
  { name: 'task download', operands: ['TASK'], summary: 'Save the files of a task of an agent.' },
  {
    name: 'task push-config create',
    operands: ['TASK'],
    summary: 'Let an agent notify a URL of a task.',
  },
  { name: 'task push-config list', operands: ['TASK'], summary: 'List who is notified of a task.' },
  { name: 'task push-config get', operands: ['TASK', 'CONFIG'], summary: 'Show one of them.' },
  {
    name: 'task push-config delete',
    operands: ['TASK', 'CONFIG'],
    summary: 'End the notifications to one of them.',
  },
  {
    name: 'task push-config listen',
    furtherOperands: 'TASK',
    summary: 'Receive push notifications here, and print them.',
  },
  {
    name: 'task show',
    operands: ['TASK|FILE'],
    summary: 'Show what happened in a task, event by event.',
  },
  { name: 'task events', operands: ['TASK'], summary: 'Print the events of a task, or follow them.' },
  {
    name: 'task replay',
    operands: ['FILE|TASK'],
    summary: 'Print the events of a task again, as they happened.',
  },
  { name: 'task export', operands: ['TASK'], summary: 'Write the events of a task to a file.' },
  {
    name: 'task import',
    operands: ['FILE'],
    summary: 'Store the task of such a file in the data of a server.',
  },
  { name: 'auth login', summary: 'Log in at an agent, with OAuth.' },
  { name: 'auth logout', summary: 'Forget a login.' },
  { name: 'auth status', summary: 'List your logins.' },
  { name: 'conformance', summary: 'Check an agent against the A2A specification.' },
  {
    name: 'demo-server',
    summary: 'Serve an agent to try a client with: every state, kind of part and login.',
  },
  { name: 'skill show', summary: 'Print the skill that teaches coding agents to use this program.' },
  { name: 'skill install', summary: 'Install that skill for coding agents.' },
  { name: 'mock', summary: 'Serve an agent that answers as recorded, for tests.' },
  { name: 'record', summary: 'Record what clients and an agent say to each other.' },
  {
    name: 'diff',
    operands: ['A', 'B'],
    summary: 'Compare two runs: their states, texts and artifacts.',
  },
  { name: 'env add', operands: ['NAME', 'AGENT'], summary: 'Name an agent, so that -a NAME is enough.' },
  { name: 'env list', summary: 'List the agents that have a name.' },
  { name: 'env show', operands: ['NAME'], summary: 'Show what the name of an agent stands for.' },
  { name: 'env check', operands: ['NAME'], summary: 'Examine an agent that has a name, and the way to it.' },
  { name: 'env remove', operands: ['NAME'], summary: 'Forget the name of an agent.' },
  { name: 'import', summary: 'Name the agents that OpenClaw may call.' },
  {
    name: 'pair',
    summary: 'Offer another agent to connect with this one, with a code that is good once.',
  },
  {
    name: 'join',
    operands: ['CODE@HOST'],
    summary: 'Connect with an agent that offers it, by its code or link.',
  },
  { name: 'mcp', summary: 'Run an MCP server whose tools call other A2A agents.' },
  { name: 'mcp check', summary: 'Check which agents `holdword mcp` can reach.' },
  { name: 'keys add', operands: ['NAME'], summary: 'Create an API key.' },
  { name: 'keys list', summary: 'List the API keys.' },
  { name: 'keys rotate', operands: ['NAME'], summary: 'Replace an API key with a new one.' },
  { name: 'keys revoke', operands: ['NAME'], summary: 'Revoke an API key.' },
  { name: 'console link', summary: 'Print a link that signs in to the console of a server, once.' },
  { name: 'push status', summary: 'Show push notification targets and how far delivery has come.' },
  { name: 'push replay', operands: ['TASK|all'], summary: 'Retry push notifications that were abandoned.' },
  { name: 'tasks list', summary: 'List the tasks of a server, of all owners.' },
  { name: 'tasks top', summary: 'Watch the turns, queues and push notifications of a server.' },
  {
    name: 'tasks delete',
    operands: ['TASK'],
    summary: 'Delete a task, even one that has not ended or cannot be read.',
  },
  { name: 'init', summary: 'Write the configuration of a server, and an agent to begin with.' },
  { name: 'doctor', summary: 'Find what is wrong with this machine, or with an agent, and how to mend it.' },
  { name: 'config check', summary: 'Check the configuration without starting a server.' },
  { name: 'config show', summary: 'Show the value of every setting, and where it comes from.' },
  {
    name: 'openclaw install',
    operands: ['SOURCE'],
    summary: 'Install the A2A channel plugin into OpenClaw, keeping the accounts that are configured.',
  },
  {
    name: 'openclaw enable',
    summary: 'Enable the A2A channel plugin in OpenClaw, and put its accounts back.',
  },
  {
    name: 'openclaw disable',
    summary: 'Disable the A2A channel plugin in OpenClaw, and keep its accounts in a file.',
  },
  {
    name: 'openclaw uninstall',
    summary: 'Remove the A2A channel plugin from OpenClaw, and keep its accounts in a file.',
  },
  { name: 'db migrate', summary: 'Create the database tables, or migrate them to the current version.' },
  { name: 'db status', summary: 'Show what the database holds, its size and the servers that use it.' },
  { name: 'db check', summary: 'Check the database for damage.' },
  { name: 'backup', operands: ['FILE'], summary: 'Back up the SQLite database to a new file.' },
  {
    name: 'completion',
    operands: ['SHELL'],
    summary: 'Print a script with which bash, zsh, fish or PowerShell completes commands.',
  },
  { name: 'version', summary: 'Print the version.' },
] as const satisfies readonly CommandSummary[];

/** The overview: the words that commands begin with, by what they are for. What several commands share, their first word sums up. */
export const TOPICS: readonly CommandTopic[] = [
  {
    title: 'Serve an agent',
    words: {
      init: undefined,
      serve: undefined,
      connect: undefined,
      hub: 'Serve a hub for agents that work together, and see what they do.',
      mock: undefined,
      'demo-server': undefined,
    },
  },
  {
    title: 'Talk to agents',
    words: {
      send: undefined,
      chat: undefined,
      card: undefined,
      task: 'Show, follow, answer, cancel, fork and export tasks of an agent.',
      auth: 'Log in at agents, and log out.',
      env: 'Give agents names.',
      import: undefined,
      pair: undefined,
      join: undefined,
      mcp: 'Give a model tools that call agents, as an MCP server.',
    },
  },
  {
    title: 'Test and compare',
    words: { conformance: undefined, record: undefined, diff: undefined },
  },
  {
    title: 'Operate a server',
    words: {
      doctor: undefined,
      config: 'Check the configuration, or show where each value comes from.',
      keys: 'Create, list, rotate and revoke API keys.',
      console: 'Sign in to the console of a server.',
      tasks: 'List, watch and delete the tasks of a server.',
      push: 'See and retry push notifications.',
      agents: 'Manage the agents that connect to this host.',
      db: 'Create, migrate and check the database.',
      backup: undefined,
    },
  },
  {
    title: 'OpenClaw and other tools',
    words: {
      openclaw: 'Install, enable, disable and remove the A2A channel plugin of OpenClaw.',
      skill: 'Teach coding agents to use this program.',
      completion: undefined,
      version: undefined,
    },
  },
];

type CommandName = (typeof COMMAND_LIST)[number]['name'];

/** What the list says about a command. */
export function listed(name: CommandName): CommandSummary {
  return COMMAND_LIST.find((command) => command.name === name) as CommandSummary;
}
