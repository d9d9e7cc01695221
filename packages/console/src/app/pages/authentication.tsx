import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AgentDetail } from '../../api/agents.ts';
import type { ResponseOf } from '../../api/endpoints.ts';
import { call } from '../core/api.ts';
import { visibleLine } from '../core/foreign-text.ts';
import { useAction } from '../core/resource.ts';
import { isOperator } from '../core/session.ts';
import { Badge, ForeignLink, Problem, Section } from '../parts/basics.tsx';
import { ExchangeLog } from './exchange-log.tsx';

type Scheme = AgentDetail['authentication']['schemes'][number];
type Check = ResponseOf<'setAgentCredential'>;

/** Each way to authenticate, step by step, with a try at its end. */
export function Authentication({ agent, changed }: { agent: AgentDetail; changed: () => void }): JSX.Element {
  const { required, schemes, credential } = agent.authentication;
  const forget = useAction(async () => {
    await call('removeAgentCredential', { path: { agentId: agent.id } });
    changed();
  });
  return (
    <>
      <p class="lead">
        {schemes.length === 0
          ? 'The card names no way to authenticate: the agent answers anybody, or does not say what it wants.'
          : required
            ? 'The agent wants one of these:'
            : 'The agent answers without a credential, and accepts these:'}
      </p>
      {credential !== null && (
        <p class="note">
          A credential for <strong>{visibleLine(credential, 60)}</strong> is set until this session ends.{' '}
          <button type="button" class="small" disabled={forget.busy} onClick={forget.run}>
            Forget it
          </button>
        </p>
      )}
      {forget.error !== undefined && <Problem error={forget.error} />}
      {schemes.map((scheme) => (
        <SchemeSteps key={scheme.name} agentId={agent.id} scheme={scheme} changed={changed} />
      ))}
    </>
  );
}

function SchemeSteps({
  agentId,
  scheme,
  changed,
}: {
  agentId: string;
  scheme: Scheme;
  changed: () => void;
}): JSX.Element {
  const [value, setValue] = useState('');
  const [check, setCheck] = useState<Check>();
  const set = useAction(async () => {
    setCheck(await call('setAgentCredential', { path: { agentId }, body: { scheme: scheme.name, value } }));
    setValue('');
    changed();
  });
  return (
    <Section title={`${visibleLine(scheme.name, 60)} (${scheme.kind})`}>
      <ol class="steps">
        {scheme.steps.map(({ title, text, url }, index) => (
          <li key={index} class="wrap">
            <strong>{visibleLine(title, 120)}</strong> {visibleLine(text, 600)}{' '}
            {url !== null && <ForeignLink href={url} />}
          </li>
        ))}
      </ol>
      {scheme.sentAs !== null && (
        <p class="muted wrap">
          Sent as <code>{visibleLine(scheme.sentAs, 200)}</code>
        </p>
      )}
      {!scheme.usable && <p class="muted">The console cannot send a credential of this kind.</p>}
      {scheme.usable && isOperator() && (
        <form
          class="form inline"
          onSubmit={(event) => {
            event.preventDefault();
            set.run();
          }}
        >
          <label class="field grow">
            <span>Credential</span>
            <input
              type="password"
              autocomplete="off"
              required
              value={value}
              onInput={(event) => setValue(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary" disabled={set.busy}>
            {set.busy ? 'Trying it…' : 'Set and try'}
          </button>
        </form>
      )}
      {set.error !== undefined && <Problem error={set.error} />}
      {check !== undefined && (
        <div role="status">
          <Badge tone={check.accepted === null ? 'gray' : check.accepted ? 'green' : 'red'}>
            {check.accepted === null ? 'not tried' : check.accepted ? 'accepted' : 'refused'}
          </Badge>{' '}
          {visibleLine(check.message, 400)}
          <ExchangeLog exchanges={check.exchanges} />
        </div>
      )}
    </Section>
  );
}
