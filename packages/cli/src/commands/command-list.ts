import type { CommandSummary } from '../command-line/command.ts';

/** All commands, in the order of the overview. They are listed apart from what they do, so that the overview loads none of it. */
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
  { name: 'send', furtherOperands: 'TEXT', summary: 'Send a message to an agent, and wait for its answer.' },
  { name: 'card get', summary: 'Show the card of an agent: what it can do, and how to call it.' },
  { name: 'task get', operands: ['TASK'], summary: 'Show a task of an agent, or wait for it.' },
  { name: 'task list', summary: 'List your tasks at an agent.' },
  { name: 'task cancel', operands: ['TASK'], summary: 'Cancel a task of an agent.' },
  { name: 'task subscribe', operands: ['TASK'], summary: 'Follow a task of an agent.' },
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
  { name: 'mcp', summary: 'Run an MCP server whose tools call other A2A agents.' },
  { name: 'mcp check', summary: 'Check which agents `holdword mcp` can reach.' },
  { name: 'keys add', operands: ['NAME'], summary: 'Create an API key.' },
  { name: 'keys list', summary: 'List the API keys.' },
  { name: 'keys rotate', operands: ['NAME'], summary: 'Replace an API key with a new one.' },
  { name: 'keys revoke', operands: ['NAME'], summary: 'Revoke an API key.' },
  { name: 'push status', summary: 'Show push notification targets and how far delivery has come.' },
  { name: 'push replay', operands: ['TASK|all'], summary: 'Retry push notifications that were abandoned.' },
  {
    name: 'tasks delete',
    operands: ['TASK'],
    summary: 'Delete a task, even one that has not ended or cannot be read.',
  },
  { name: 'config check', summary: 'Check the configuration without starting a server.' },
  { name: 'config show', summary: 'Show the value of every setting.' },
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
    summary: 'Print a script with which bash, zsh or fish completes commands.',
  },
  { name: 'version', summary: 'Print the version.' },
] as const satisfies readonly CommandSummary[];

type CommandName = (typeof COMMAND_LIST)[number]['name'];

/** What the list says about a command. */
export function listed(name: CommandName): CommandSummary {
  return COMMAND_LIST.find((command) => command.name === name) as CommandSummary;
}
