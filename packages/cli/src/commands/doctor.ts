import { Deadline } from '@holdword/protocol/internal';
import { CALL_OPTIONS } from '../calling/call-options.ts';
import { readCallSettings } from '../calling/call-settings.ts';
import { onOneLine } from '../calling/task-text.ts';
import type { Command, CommandInput, OptionDescription } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { CONFIG_OPTION } from '../config/resolve-config.ts';
import { AgentSubject } from '../doctor/agent-subject.ts';
import { AUTHENTICATION_CHECKS } from '../doctor/authentication-checks.ts';
import { CARD_CHECKS } from '../doctor/card-checks.ts';
import { runChecks, type CheckResult } from '../doctor/check.ts';
import { CONNECTION_CHECKS } from '../doctor/connection-checks.ts';
import { OPENCLAW_CHECKS } from '../doctor/openclaw-checks.ts';
import { OpenClawConfig } from '../openclaw/openclaw-config.ts';
import { SERVER_CHECKS } from '../doctor/server-checks.ts';
import { STREAM_CHECKS } from '../doctor/stream-check.ts';
import { listed } from './command-list.ts';

const AGENT_MILLISECONDS = 120_000;

const AGENT_CHECKS = [...CONNECTION_CHECKS, ...CARD_CHECKS, ...AUTHENTICATION_CHECKS, ...STREAM_CHECKS];

const { config: _other, output: _json, ...callOptions } = CALL_OPTIONS;
const SEND_OPTION: OptionDescription = {
  value: 'TEXT',
  description:
    'With -a, also send this message, to see whether a proxy holds streams back; choose one that takes some seconds',
};

const doctor: Command = {
  ...listed('doctor'),
  details:
    'Without -a it examines this machine: the server of this folder, and OpenClaw if it is set up here. With -a it examines an agent, ' +
    'from the name of its host to what it says to your key; no message is sent without --send. Every problem is named with the side ' +
    'that has to act and what mends it. Exits with code 1 if there is a problem; a warning is none.',
  options: { ...callOptions, send: SEND_OPTION, ...JSON_OPTION, ...settingOptions(), config: CONFIG_OPTION },
  examples: [
    { comment: 'Examine this machine', command: 'holdword doctor' },
    { comment: 'Examine an agent, and the way to it', command: 'holdword doctor -a https://agent.example' },
    {
      comment: 'See whether streams arrive as they are made',
      command: 'holdword doctor -a work --send "count slowly to 5"',
    },
  ],
  page: 'guides/doctor.md',
  async run(input) {
    const results = await examine(input);
    return report(input, results);
  },
};

async function examine(input: CommandInput): Promise<CheckResult[]> {
  if (input.options['agent-card'] !== undefined) return examineAgent(input);
  const server = await runChecks(SERVER_CHECKS, { input });
  const openclaw = new OpenClawConfig(input.environment);
  return openclaw.exists ? [...server, ...(await runChecks(OPENCLAW_CHECKS, openclaw))] : server;
}

/** Examines the agent that `-a` names. */
export async function examineAgent(input: CommandInput): Promise<CheckResult[]> {
  const { config: _server, ...options } = input.options;
  const settings = await readCallSettings({ ...input, options });
  using deadline = new Deadline(AGENT_MILLISECONDS);
  const subject = new AgentSubject(input, settings, deadline.signal);
  try {
    return await runChecks(AGENT_CHECKS, subject);
  } finally {
    await subject.close();
  }
}

/** Prints what was found. Returns the exit code. */
export function report(input: CommandInput, results: readonly CheckResult[]): number {
  const { terminal } = input;
  const [problems, warnings] = ['problem', 'warning'].map(
    (status) => results.filter((each) => each.status === status).length,
  );
  printData(input, { problems, warnings, checks: results }, () => {
    for (const { status, check, found, side, fix } of results) {
      const label = status === 'ok' ? 'ok' : terminal.style(status === 'problem' ? 'red' : 'yellow', status);
      terminal.out(`${label}${' '.repeat(9 - status.length)}${check}: ${onOneLine(found)}\n`);
      if (side !== undefined) terminal.out(`         side: ${side}\n`);
      if (fix !== undefined) terminal.out(`         fix: ${onOneLine(fix)}\n`);
    }
    terminal.out(`\n${summary(problems ?? 0, warnings ?? 0)}\n`);
  });
  return problems === 0 ? 0 : 1;
}

function summary(problems: number, warnings: number): string {
  if (problems + warnings === 0) return 'Nothing is wrong.';
  const parts = [
    ...(problems > 0 ? [`${problems} ${problems === 1 ? 'problem' : 'problems'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  return `${parts.join(', ')}.`;
}

export const commands: readonly Command[] = [doctor];
