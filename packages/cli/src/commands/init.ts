import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { nearestName, shorten } from '@holdword/protocol/internal';
import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { listed } from './command-list.ts';

const AGENT_FILE = 'agent.mts';

/** The three things that `init` has to know, with their answers. The first answer is the default. */
const QUESTIONS = {
  agent: {
    question: 'Which agent? (module: your own, in TypeScript; or a name: claude-code, demo, …)',
    fallback: 'module',
  },
  access: {
    question: 'Who may call it? (local: programs on this machine; keys: everybody with an API key)',
    answers: ['local', 'keys'],
    fallback: 'local',
  },
  service: {
    question: 'How is it started? (none: by hand; systemd; compose)',
    answers: ['none', 'systemd', 'compose'],
    fallback: 'none',
  },
} as const;

type Answers = Readonly<Record<keyof typeof QUESTIONS, string>>;

const init: Command = {
  ...listed('init'),
  details:
    'Asks three questions on a terminal; options answer them beforehand, and elsewhere the defaults apply. Files that exist are never ' +
    'overwritten: if one of them exists, nothing is written.',
  options: {
    agent: {
      value: 'AGENT',
      description: `module, which writes ${AGENT_FILE}, or the name of an agent`,
      default: 'module',
    },
    access: {
      value: 'local|keys',
      description: 'Who may call it: this machine, or everybody with an API key',
      default: 'local',
    },
    service: { value: 'none|systemd|compose', description: 'What starts it', default: 'none' },
    ...JSON_OPTION,
  },
  examples: [
    { comment: 'Be asked', command: 'holdword init' },
    {
      comment: 'Serve Claude Code to callers with a key, with systemd',
      command: 'holdword init --agent claude-code --access keys --service systemd',
    },
  ],
  page: 'guides/serve-an-agent.md',
  async run(input) {
    const answers = await ask(input);
    const files = filesFor(answers, input);
    const taken = Object.keys(files).filter((name) => existsSync(join(input.workingFolder, name)));
    if (taken.length > 0) {
      throw new CommandError(
        `${taken.join(' and ')} would be overwritten, so nothing was written. Move it away, or use another folder.`,
      );
    }
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(input.workingFolder, name), content, { flag: 'wx' });
    }
    const next = nextSteps(answers);
    printData(input, { files: Object.keys(files), next }, () => {
      for (const name of Object.keys(files)) input.terminal.out(`Wrote ${name}\n`);
      input.terminal.out(`\nNext:\n${next.map((line) => `  ${line}\n`).join('')}`);
    });
    return 0;
  },
};

async function ask({ options, terminal }: CommandInput): Promise<Answers> {
  const isWatched = process.stdin.isTTY && terminal.errorsAreWatched;
  const prompt = isWatched ? createInterface({ input: process.stdin, output: process.stderr }) : undefined;
  try {
    const answers: Record<string, string> = {};
    for (const [name, { question, fallback }] of Object.entries(QUESTIONS)) {
      const given = options[name];
      answers[name] =
        given === undefined && prompt !== undefined
          ? await answerTo(prompt, name, `${question} [${fallback}] `, fallback, terminal)
          : (given ?? fallback);
      const problem = await whyWrong(name, answers[name]);
      if (problem !== undefined) throw new UsageError(`--${name}: ${problem}`);
    }
    return answers as Answers;
  } finally {
    prompt?.close();
  }
}

/** Asks until the answer can be used. */
async function answerTo(
  prompt: Interface,
  name: string,
  question: string,
  fallback: string,
  terminal: CommandInput['terminal'],
): Promise<string> {
  for (;;) {
    const answer = (await prompt.question(question)).trim() || fallback;
    const problem = await whyWrong(name, answer);
    if (problem === undefined) return answer;
    terminal.error(`${problem}\n`);
  }
}

/** Undefined if it is an answer to the question. */
async function whyWrong(name: string, answer: string): Promise<string | undefined> {
  if (name === 'agent') return whyNoAgent(answer);
  const possible: readonly string[] = QUESTIONS[name as 'access' | 'service'].answers;
  return possible.includes(answer)
    ? undefined
    : `expected ${possible.join(' or ')}, found "${shorten(answer, 40)}".`;
}

async function whyNoAgent(agent: string): Promise<string | undefined> {
  const { AGENT_KINDS, findAgentKind } = await import('@holdword/runtime/internal/settings');
  if (agent === 'module' || agent === 'demo' || findAgentKind(agent) !== undefined) return undefined;
  const names = ['module', 'demo', ...AGENT_KINDS.map(({ name }) => name)];
  const nearest = nearestName(agent, names);
  return `there is no agent "${shorten(agent, 40)}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`} Use one of ${names.join(', ')}.`;
}

function filesFor(answers: Answers, { workingFolder }: CommandInput): Readonly<Record<string, string>> {
  // A container has an address of its own, so what is published from it needs keys.
  const hasKeys = answers.access === 'keys' || answers.service === 'compose';
  const config = {
    agent: answers.agent === 'module' ? `./${AGENT_FILE}` : answers.agent,
    ...(hasKeys && { host: '0.0.0.0', authentication: { apiKeys: true } }),
  };
  return {
    'holdword.config.json': `${JSON.stringify(config, null, 2)}\n`,
    ...(answers.agent === 'module' && { [AGENT_FILE]: AGENT }),
    ...(answers.service === 'systemd' && { 'holdword.service': unitFor(workingFolder) }),
    ...(answers.service === 'compose' && { 'compose.yaml': composeFile() }),
  };
}

const AGENT = `import type { Executor } from '@holdword/runtime';

const agent: Executor = {
  card: {
    name: 'My agent',
    description: 'Says how many words a message has.',
    skills: [{ id: 'count', name: 'Count words', description: 'Counts the words of a message.', tags: ['text'] }],
  },

  async execute(turn, sink) {
    const text = turn.message.parts.map((part) => part.text ?? '').join(' ');
    const words = text.split(/\\s+/).filter((word) => word !== '');
    if (words.length === 0) return sink.askInput('Which text?');
    await sink.complete(\`\${words.length} words.\`);
  },
};

export default agent;
`;

/** Runs this program, with this Node, as this user. */
function unitFor(folder: string): string {
  const main = fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js', import.meta.url),
  );
  return `[Unit]
Description=Holdword serves an agent over A2A
Wants=network-online.target
After=network-online.target

[Service]
User=${userInfo().username}
WorkingDirectory=${folder}
ExecStart="${process.execPath}" "${main}" serve
Environment=NODE_ENV=production
Restart=always
RestartSec=1
# Longer than graceSeconds, so that running turns can finish.
TimeoutStopSec=30
NoNewPrivileges=yes
PrivateTmp=yes
UMask=0077

[Install]
WantedBy=multi-user.target
`;
}

function composeFile(): string {
  return `services:
  holdword:
    image: node:24-slim
    working_dir: /app
    command: ['npx', '--yes', '@holdword/cli@${version()}', 'serve']
    environment:
      HOLDWORD_DATA: /data
    volumes:
      - .:/app:ro
      - data:/data
    ports:
      - '127.0.0.1:4310:4310'
    init: true
    restart: unless-stopped
    # Longer than graceSeconds, so that running turns can finish.
    stop_grace_period: 30s

volumes:
  data:
`;
}

function nextSteps({ access, service }: Answers): string[] {
  const addKey =
    service === 'compose'
      ? 'docker compose run --rm holdword npx --yes @holdword/cli keys add NAME'
      : 'holdword keys add NAME';
  return [
    'holdword doctor',
    ...(access === 'keys' || service === 'compose' ? [addKey] : []),
    ...(service === 'none' ? ['holdword serve'] : []),
    ...(service === 'systemd'
      ? ['sudo install -m 0644 holdword.service /etc/systemd/system/', 'sudo systemctl enable --now holdword']
      : []),
    ...(service === 'compose' ? ['docker compose up -d'] : []),
  ];
}

export const commands: readonly Command[] = [init];
