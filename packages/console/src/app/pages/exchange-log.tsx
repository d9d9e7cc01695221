import type { JSX } from 'preact';
import type { Exchange } from '../../api/agents.ts';
import { visibleLine, visibleText } from '../core/foreign-text.ts';
import { Badge, Time } from '../parts/basics.tsx';

/** Requests and responses as they were on the wire. */
export function ExchangeLog({ exchanges }: { exchanges: readonly Exchange[] }): JSX.Element {
  return (
    <ul class="plain-list exchanges">
      {exchanges.map(({ at, milliseconds, request, response, problem }, index) => (
        <li key={index}>
          <details>
            <summary class="wrap">
              <Time at={at} precise /> {visibleLine(request.method, 10)}{' '}
              <span class="mono">{visibleLine(request.url, 160)}</span>{' '}
              <Badge tone={response === null || response.status >= 400 ? 'red' : 'green'}>
                {response === null ? 'no response' : response.status}
              </Badge>{' '}
              <span class="muted">{milliseconds} ms</span>
            </summary>
            {problem !== null && <p class="problem wrap">{visibleLine(problem, 400)}</p>}
            <h3>Request</h3>
            <pre
              class="code prewrap"
              tabIndex={0}
            >{`${headersText(request.headers)}\n\n${pretty(request.body ?? '')}`}</pre>
            {response !== null && (
              <>
                <h3>Response</h3>
                <pre
                  class="code prewrap"
                  tabIndex={0}
                >{`${headersText(response.headers)}\n\n${pretty(response.body)}`}</pre>
                {response.cut && <p class="muted">The response is longer.</p>}
              </>
            )}
          </details>
        </li>
      ))}
    </ul>
  );
}

function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${visibleLine(name, 100)}: ${visibleLine(value, 500)}`)
    .join('\n');
}

function pretty(body: string): string {
  try {
    return visibleText(JSON.stringify(JSON.parse(body), undefined, 2));
  } catch {
    return visibleText(body);
  }
}
