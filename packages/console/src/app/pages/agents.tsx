import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentSummary } from '../../api/agents.ts';
import { call } from '../core/api.ts';
import { visibleLine } from '../core/foreign-text.ts';
import { counted } from '../core/format.ts';
import { useAction, useResource } from '../core/resource.ts';
import { hrefOf, navigate } from '../core/router.ts';
import { hasFeature, isOperator } from '../core/session.ts';
import { Badge, Loading, Problem } from '../parts/basics.tsx';

export function AgentsPage(): JSX.Element {
  const agents = useResource('agents', (signal) => call('listAgents', { signal }));
  const mayAdd = isOperator() && hasFeature('remoteAgents');
  return (
    <div class="page">
      <header class="page-head">
        <h1>Agents</h1>
      </header>
      {agents.error !== undefined && <Problem error={agents.error} retry={agents.reload} />}
      {agents.value === undefined && agents.error === undefined && <Loading what="agents" />}
      <ul class="cards">
        {agents.value?.agents.map((agent) => (
          <li key={agent.id}>
            <AgentCard agent={agent} />
          </li>
        ))}
      </ul>
      {mayAdd && <AddAgent />}
      {agents.value?.agents.length === 1 && (
        <p class="muted note">
          This is the agent of this server.
          {mayAdd ? ' Add another one by its URL to look at its card and try its skills.' : ''}
        </p>
      )}
    </div>
  );
}

function AgentCard({ agent }: { agent: AgentSummary }): JSX.Element {
  return (
    <article class="card">
      <header>
        <h2 class="wrap">
          <a href={hrefOf(['agents', agent.id])}>{visibleLine(agent.name, 120)}</a>
        </h2>
        <Badge tone={agent.kind === 'served' ? 'blue' : 'gray'}>
          {agent.kind === 'served' ? 'this server' : 'remote'}
        </Badge>
        <CardHealth agent={agent} />
      </header>
      <p class="wrap">{visibleLine(agent.description, 300)}</p>
      <p class="muted wrap">
        {counted(agent.skills, 'skill')}
        {agent.version === null ? '' : ` · version ${visibleLine(agent.version, 40)}`} ·{' '}
        <span class="mono">{visibleLine(agent.url, 120)}</span>
      </p>
      {agent.unreachable !== null && <p class="problem">{visibleLine(agent.unreachable, 300)}</p>}
    </article>
  );
}

export function CardHealth({ agent }: { agent: AgentSummary }): JSX.Element {
  if (agent.unreachable !== null) return <Badge tone="red">unreachable</Badge>;
  if (agent.errors > 0) return <Badge tone="red">{counted(agent.errors, 'error')}</Badge>;
  if (agent.warnings > 0) return <Badge tone="amber">{counted(agent.warnings, 'warning')}</Badge>;
  return <Badge tone="green">valid card</Badge>;
}

function AddAgent(): JSX.Element {
  const [url, setUrl] = useState('');
  const add = useAction(async () => {
    const agent = await call('addAgent', { body: { url: url.trim() } });
    navigate(hrefOf(['agents', agent.id]));
  });
  return (
    <form
      class="form inline"
      onSubmit={(event) => {
        event.preventDefault();
        add.run();
      }}
    >
      <label class="field grow">
        <span>Add a remote agent by its URL</span>
        <input
          type="url"
          required
          placeholder="https://agent.example.com"
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={add.busy}>
        {add.busy ? 'Fetching the card…' : 'Add'}
      </button>
      {add.error !== undefined && <Problem error={add.error} />}
    </form>
  );
}
