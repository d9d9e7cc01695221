import { join } from 'node:path';
import type { Executor } from '@holdword/runtime';
import { OpenClawGatewayAgent, openOpenClawCli } from '@holdword/runtime/internal/openclaw';
import { openMemoryStore } from '@holdword/store';
import { startGateway } from '../../test/openclaw/harness/gateway.ts';
import { setup as installOpenClaw } from '../../test/openclaw/harness/install-openclaw.ts';
import { createOpenClawHome, type OpenClawHome } from '../../test/openclaw/harness/openclaw-home.ts';
import { ScriptedModel } from '../../test/openclaw/harness/scripted-model.ts';
import { startAgent } from '../../test/support/start-agent.ts';
import { callJson } from '../load/call-json.ts';
import { Connection } from '../load/connection.ts';
import { RequestTemplate } from '../load/request-template.ts';
import type { Measure } from '../measures.ts';
import { userMessage } from '../peers/work.ts';
import { median } from '../report/statistics.ts';
import { atLeast } from '../report/target.ts';

const TARGET_RATIO = 10;
const SESSIONS = openMemoryStore();

/**
 * The same turn of the real OpenClaw through its gateway and through its command line, with a model that replies immediately.
 * Each has a separate home, because the command does not run next to a gateway.
 */
export async function gatewaySpeed(samples: number): Promise<Measure> {
  installOpenClaw();
  const model = await ScriptedModel.start();
  model.when('go', (answer) => answer.text('done'));
  try {
    const gateway = median(await inHome(model, (home) => timeGateway(home, samples)));
    const cli = median(await inHome(model, (home) => timeCli(home, Math.ceil(samples / 10))));
    return {
      figures: { gatewayTurnMilliseconds: gateway, cliTurnMilliseconds: cli, gatewayRatio: cli / gateway },
      target: atLeast(
        'a turn by the gateway is faster than by the command line, times',
        TARGET_RATIO,
        cli / gateway,
      ),
    };
  } finally {
    await model.close();
  }
}

async function inHome<Result>(
  model: ScriptedModel,
  work: (home: OpenClawHome) => Promise<Result>,
): Promise<Result> {
  const home = await createOpenClawHome({ model });
  try {
    return await work(home);
  } finally {
    await home.remove();
  }
}

async function timeGateway(home: OpenClawHome, samples: number): Promise<number[]> {
  const gateway = await startGateway(home);
  const address = { url: home.gatewayUrl, token: home.gatewayToken };
  const agent = new OpenClawGatewayAgent({ gateway: address }, { sessions: SESSIONS });
  try {
    return await timeTurns(agent, samples);
  } finally {
    await agent.close();
    await gateway.stop();
  }
}

async function timeCli(home: OpenClawHome, samples: number): Promise<number[]> {
  const agent = await openOpenClawCli(
    { openclawPath: home.command, envVars: home.environment },
    { processFolder: join(home.folder, 'processes'), sessions: SESSIONS },
  );
  try {
    return await timeTurns(agent, samples);
  } finally {
    await agent.close();
  }
}

/** The first turn is a warm-up and not counted. */
async function timeTurns(executor: Executor, samples: number): Promise<number[]> {
  const agent = await startAgent({ executor });
  const url = new URL(agent.target.jsonRpcUrl);
  using connection = await Connection.open(url);
  const times: number[] = [];
  try {
    for (let sample = 0; sample <= samples; sample += 1) {
      const start = performance.now();
      const params = { message: userMessage(RequestTemplate.id, 'go') };
      const result = await callJson(connection, url, { method: 'SendMessage', params });
      times.push(performance.now() - start);
      if (!JSON.stringify(result).includes('"TASK_STATE_COMPLETED"')) {
        throw new Error(`Expected a completed task, received ${JSON.stringify(result).slice(0, 400)}.`);
      }
    }
  } finally {
    await agent.close();
  }
  return times.slice(1);
}
