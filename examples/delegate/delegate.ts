// Delegates work to another agent with the tools that a model uses: node delegate.ts [URL of Holdword's demo agent]
import assert from 'node:assert/strict';
import { A2AAgents, A2ASession, A2ATools } from '@holdword/client';

const [, , url = 'http://127.0.0.1:4310'] = process.argv;
const agents = new A2AAgents({ demo: { url } });
const tools = new A2ATools(new A2ASession(agents), { extraTools: ['searchArtifact'] });

try {
  const { demo } = await tools.getAgents();
  assert.ok(demo, 'the agent answers');

  // A task with a table: view two of its rows.
  const planets = await tools.sendMessage('demo', 'table');
  assert.equal(stateOf(planets), 'completed');
  const view = await tools.viewDataArtifact('demo', String(planets['id']), 'table', 'rows', '2-3', 'planet');
  console.log(JSON.stringify(view['parts']));

  // A question: answer it in the same task.
  const asked = await tools.sendMessage('demo', 'ask me');
  assert.equal(stateOf(asked), 'input-required');
  const answered = await tools.sendMessage('demo', 'Ada', String(asked['contextId']), String(asked['id']));
  console.log(JSON.stringify(answered['status']));

  // Work that takes longer than the timeout: get the task again later.
  const started = await tools.sendMessage('demo', 'wait 3', null, null, 1);
  assert.notEqual(stateOf(started), 'completed');
  const finished = await tools.getTask('demo', String(started['id']));
  console.log(JSON.stringify(finished['status']));

  // A long text: search it.
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`);
  const echoed = await tools.sendMessage('demo', `echo ${lines.join('\n')}`);
  const search = { contextLines: 1 };
  const found = await tools.searchArtifact('demo', String(echoed['id']), 'echo', 'line 1999', search);
  console.log(JSON.stringify(found['matches']));

  // Errors are returned as data, with what to do next.
  const wrong = await tools.sendMessage('weather', 'Will it rain?');
  assert.equal(wrong['error'], true);
  console.log(wrong['error_message']);
} finally {
  agents.close();
}

function stateOf(task: Record<string, unknown>): unknown {
  const { status } = task as { status?: { state: string } };
  return status?.state;
}
