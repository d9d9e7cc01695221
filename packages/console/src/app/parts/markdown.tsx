// Markdown of other agents, drawn as elements. HTML in it stays text, images become links, and no string ever becomes markup.
import { Lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { SHOWN_CHARACTERS, visibleText } from '../core/foreign-text.ts';
import { ForeignLink } from './basics.tsx';

/** What is nested deeper is shown as the text that it is. */
const DEEPEST = 20;

export default function Markdown({ text }: { text: string }): JSX.Element {
  const content = useMemo(() => blocks(parse(visibleText(text.slice(0, SHOWN_CHARACTERS))), 0), [text]);
  return <div class="markdown">{content}</div>;
}

function parse(text: string): Token[] {
  try {
    return Lexer.lex(text, { gfm: true, breaks: true });
  } catch {
    return [{ type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text }] }];
  }
}

type Blocks = readonly Token[] | undefined;

function blocks(tokens: Blocks, depth: number): ComponentChildren {
  if (depth > DEEPEST) return rawOf(tokens);
  return (tokens ?? []).map((token, index) => <Block key={index} token={token} depth={depth} />);
}

function Block({ token, depth }: { token: Token; depth: number }): JSX.Element | null {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      // The page has its own h1 to h3.
      const Heading = token['depth'] === 1 ? 'h4' : token['depth'] === 2 ? 'h5' : 'h6';
      return <Heading>{inline(token.tokens, depth)}</Heading>;
    }
    case 'code':
      return (
        <pre class="code" tabIndex={0}>
          <code>{String(token['text'])}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens, depth + 1)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'list':
      return <List token={token as Tokens.List} depth={depth} />;
    case 'table':
      return <Table token={token as Tokens.Table} depth={depth} />;
    case 'paragraph':
      return <p>{inline(token.tokens, depth)}</p>;
    case 'text':
      return <>{token.tokens === undefined ? String(token['text']) : inline(token.tokens, depth)}</>;
    default:
      // HTML among them: it is shown, never run.
      return <p class="prewrap">{token.raw}</p>;
  }
}

function List({ token, depth }: { token: Tokens.List; depth: number }): JSX.Element {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task && <span class="mono">{item.checked === true ? '[x] ' : '[ ] '}</span>}
      {blocks(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      )}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token, depth }: { token: Tokens.Table; depth: number }): JSX.Element {
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index}>{inline(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: Blocks, depth: number): ComponentChildren {
  if (depth > DEEPEST) return rawOf(tokens);
  return (tokens ?? []).map((token, index) => <Inline key={index} token={token} depth={depth + 1} />);
}

function Inline({ token, depth }: { token: Token; depth: number }): JSX.Element | null {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inline(token.tokens, depth)}</del>;
    case 'codespan':
      return <code>{String(token['text'])}</code>;
    case 'br':
      return <br />;
    case 'checkbox':
      return null;
    case 'link':
      return <ForeignLink href={String(token['href'])}>{inline(token.tokens, depth)}</ForeignLink>;
    case 'image':
      // An image that loads tells its server who reads this, and when.
      return (
        <ForeignLink href={String(token['href'])}>
          image: {String(token['text']) || 'without a title'}
        </ForeignLink>
      );
    case 'escape':
      return <>{String(token['text'])}</>;
    case 'text':
      return <>{token.tokens?.length ? inline(token.tokens, depth) : String(token['text'])}</>;
    default:
      return <>{token.raw}</>;
  }
}

function rawOf(tokens: Blocks): string {
  return (tokens ?? []).map(({ raw }) => raw).join('');
}
