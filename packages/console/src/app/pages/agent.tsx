// One agent: its card for people, what is wrong with it, its skills to try, and how to authenticate.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentDetail, TriedAgent } from '../../api/agents.ts';
import { call } from '../core/api.ts';
import { visibleLine, visibleText } from '../core/foreign-text.ts';
import { useAction, useResource } from '../core/resource.ts';
import { address, hrefOf, navigate } from '../core/router.ts';
import { isOperator } from '../core/session.ts';
import { Ago, Badge, Empty, Facts, ForeignLink, Loading, Problem, Section, Tabs } from '../parts/basics.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { MessageForm } from '../parts/message-form.tsx';
import { CardHealth } from './agents.tsx';
import { Authentication } from './authentication.tsx';
import { ExchangeLog } from './exchange-log.tsx';

const TABS = ['card', 'try', 'authentication', 'json'] as const;
const TITLES = {
  card: 'Card',
  try: 'Try a skill',
  authentication: 'Authentication',
  json: 'Raw JSON',
} as const;

export function AgentPage({ agentId }: { agentId: string }): JSX.Element {
  const agent = useResource(agentId, (signal) => call('getAgent', { path: { agentId }, signal }));
  const tab = TABS.find((name) => name === address.value.query.get('tab')) ?? 'card';
  const tabs = TABS.filter((name) => name !== 'try' || isOperator());
  const refresh = useAction(async () => agent.set(await call('refreshAgent', { path: { agentId } })));
  const remove = useAction(async () => {
    await call('removeAgent', { path: { agentId } });
    navigate(hrefOf(['agents']));
  });
  if (agent.value === undefined)
    return agent.error === undefined ? (
      <Loading what="the agent" />
    ) : (
      <Problem error={agent.error} retry={agent.reload} />
    );
  const detail = agent.value;
  const error = refresh.error ?? remove.error;
  return (
    <div class="page">
      <header class="page-head">
        <h1 class="wrap">{visibleLine(detail.name, 120)}</h1>
        <CardHealth agent={detail} />
        {detail.kind === 'remote' && isOperator() && (
          <div class="actions">
            <button type="button" disabled={refresh.busy} onClick={refresh.run}>
              Fetch the card again
            </button>
            <button type="button" class="danger" disabled={remove.busy} onClick={remove.run}>
              Remove
            </button>
          </div>
        )}
      </header>
      {error !== undefined && <Problem error={error} />}
      <Tabs
        label="Agent"
        open={tab}
        tabs={tabs.map((name) => ({
          name,
          title: TITLES[name],
          href: hrefOf(['agents', agentId], { tab: name === 'card' ? undefined : name }),
        }))}
      />
      {tab === 'card' && <Card agent={detail} />}
      {tab === 'try' && isOperator() && <TrySkill agent={detail} />}
      {tab === 'authentication' && <Authentication agent={detail} changed={agent.reload} />}
      {tab === 'json' && <JsonTree value={detail.card} />}
    </div>
  );
}

function Card({ agent }: { agent: AgentDetail }): JSX.Element {
  return (
    <>
      <p class="wrap prewrap lead">{visibleText(agent.description.slice(0, 4000))}</p>
      <Facts
        rows={[
          ['Card', <ForeignLink key="card" href={agent.url} />],
          ['Version', agent.version === null ? 'not given' : visibleLine(agent.version, 60)],
          ...(agent.fetchedAt === null
            ? []
            : [['Fetched', <Ago key="fetched" at={agent.fetchedAt} />] as const]),
          ['Authentication', agent.authentication.required ? 'required' : 'not required'],
        ]}
      />
      <Section title="Validation">
        {agent.problems.length === 0 ? (
          <p class="muted">The card is valid.</p>
        ) : (
          <ul class="plain-list">
            {agent.problems.map(({ severity, path, message }, index) => (
              <li key={index} class="wrap">
                <Badge tone={severity === 'error' ? 'red' : 'amber'}>{severity}</Badge>{' '}
                <code>{visibleLine(path, 120)}</code> {visibleLine(message, 400)}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Skills">
        {agent.skillList.length === 0 && <p class="muted">The card lists no skill.</p>}
        <ul class="cards">
          {agent.skillList.map((skill) => (
            <li key={skill.id} class="card">
              <header>
                <h3 class="wrap">{visibleLine(skill.name, 120)}</h3>
                {isOperator() && (
                  <a
                    class="button small"
                    href={hrefOf(['agents', agent.id], { tab: 'try', skill: skill.id })}
                  >
                    Try
                  </a>
                )}
              </header>
              <p class="wrap">{visibleLine(skill.description, 600)}</p>
              <p class="muted wrap">
                <code>{visibleLine(skill.id, 80)}</code>
                {skill.tags.length > 0 && ` · ${skill.tags.map((tag) => visibleLine(tag, 40)).join(', ')}`}
              </p>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Interfaces">
        <ul class="plain-list">
          {agent.interfaces.map(({ url, binding, version, usable }, index) => (
            <li key={index} class="wrap">
              <Badge tone={usable ? 'green' : 'gray'}>{usable ? 'usable' : 'not used'}</Badge>{' '}
              {visibleLine(binding, 40)} {visibleLine(version, 20)}{' '}
              <span class="mono">{visibleLine(url, 200)}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function TrySkill({ agent }: { agent: AgentDetail }): JSX.Element {
  const chosen = address.value.query.get('skill') ?? undefined;
  const [tried, setTried] = useState<TriedAgent>();
  const [continues, setContinues] = useState(true);
  const taskId = continues && waits(tried) ? (tried?.taskId ?? undefined) : undefined;
  return (
    <>
      <MessageForm
        key={chosen ?? ''}
        action={taskId === undefined ? 'Send' : 'Answer'}
        skills={agent.skillList}
        skill={chosen}
        send={async ({ parts, skill }) => {
          const contextId = taskId === undefined ? undefined : (tried?.contextId ?? undefined);
          setTried(
            await call('tryAgent', {
              path: { agentId: agent.id },
              body: { parts, skill, taskId, contextId },
            }),
          );
          setContinues(true);
        }}
      />
      {taskId !== undefined && (
        <p class="note muted">
          The agent waits for an answer; the next message is one.{' '}
          <button type="button" class="small" onClick={() => setContinues(false)}>
            Begin a new task instead
          </button>
        </p>
      )}
      {tried === undefined ? (
        <Empty title="Nothing sent yet.">
          <p>The request and the response appear here as they are on the wire. Credentials are masked.</p>
        </Empty>
      ) : (
        <Section title="Result">
          {tried.problem !== null && <p class="problem wrap">{visibleLine(tried.problem, 600)}</p>}
          {tried.taskId !== null && agent.kind === 'served' && (
            <p>
              <a href={hrefOf(['tasks', tried.taskId])}>Open the task</a>
            </p>
          )}
          {tried.result !== null && <JsonTree value={tried.result} />}
          <ExchangeLog exchanges={tried.exchanges} />
        </Section>
      )}
    </>
  );
}

function waits(tried: TriedAgent | undefined): boolean {
  return /"TASK_STATE_(?:INPUT|AUTH)_REQUIRED"/.test(JSON.stringify(tried?.result ?? null));
}
