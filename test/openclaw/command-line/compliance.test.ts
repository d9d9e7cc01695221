import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCompliance } from '../../e2e/a2a-cli/describe-compliance.ts';
import type { LiveAgent } from '../../e2e/a2a-cli/agents.ts';
import type { ScriptedModel } from '../harness/scripted-model.ts';
import { PICTURE } from '../harness/picture.ts';
import { warmUp } from '../harness/warm-up.ts';
import { digestOfKey } from '../inbound/start-inbound.ts';
import packageJson from '../package.json' with { type: 'json' };
import { startPlugins } from './start-plugins.ts';

const KEY = 'key-of-the-command-line';
/** It may use all tools, and is asked before the agent runs a program. */
const PEER = { keySha256: digestOfKey(KEY), tools: 'all', mayApprove: true };

describeCompliance(async () => [await startOpenClaw()]);

async function startOpenClaw(): Promise<LiveAgent> {
  const gateway = await startPlugins({
    auth: { required: true, peers: { caller: PEER } },
    account: { features: { files: true, rest: true } },
    configuration: {
      agents: {
        ownership: 'explicit',
        defaults: { systemAgent: { agentId: 'main' } },
        entries: { main: { tools: { exec: { host: 'gateway', mode: 'ask' } } } },
      },
      bindings: [{ agentId: 'main', match: { channel: 'a2a', accountId: '*' } }],
    },
  });
  const { home, model, url } = gateway;
  await writeFile(join(home.workspace, 'dot.png'), Buffer.from(PICTURE, 'base64'));
  teach(model);
  await warmUp(home);
  return {
    id: 'openclaw',
    title: `OpenClaw ${packageJson.dependencies.openclaw}`,
    url,
    options: ['--bearer', KEY],
    isOwn: false,
    isLegacy: false,
    isOpen: false,
    bindings: ['jsonrpc', 'rest'],
    words: {
      echo: 'echo hello',
      ask: 'ask for permission',
      answer: 'allow-once',
      slow: 'think for ever',
      fail: 'be refused',
      stream: 'count to three',
    },
    file: { words: ['draw a dot'], shown: /File: \S+\.png, image\/png, \d+ bytes/ },
    close: () => gateway.close(),
  };
}

function teach(model: ScriptedModel): void {
  model.when('echo ', (answer, { userText }) => answer.text(/echo ([^\n]*)/.exec(userText)?.[1] ?? ''));
  model.when('for permission', (answer, { toolResults }) => {
    if (toolResults.length === 0) answer.callTool('exec', { command: 'echo permitted' });
    else answer.text('Thank you.');
  });
  model.when('for ever', (answer) => answer.hang());
  model.when('be refused', (answer) => answer.rejectWith(400));
  model.when('count to three', (answer) => {
    for (const word of ['One, ', 'two, ', 'three.']) answer.text(word);
  });
  model.when('a dot', (answer) => answer.text('Here it is.\nMEDIA:./dot.png'));
}
