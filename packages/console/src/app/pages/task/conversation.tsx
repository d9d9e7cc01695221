import type { Part } from '@holdword/protocol';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Question, TaskDetail } from '../../../api/task.ts';
import { call } from '../../core/api.ts';
import { visibleLine } from '../../core/foreign-text.ts';
import { useAction } from '../../core/resource.ts';
import { hrefOf } from '../../core/router.ts';
import type { ConversationEntry, TaskModel } from '../../core/task-model.ts';
import { Ago, ForeignLink, Problem, Time } from '../../parts/basics.tsx';
import { MessageForm } from '../../parts/message-form.tsx';
import { fieldsOf, SchemaForm } from '../../parts/schema-form.tsx';
import { ArtifactView } from './artifact-view.tsx';
import { MessageParts } from './part-view.tsx';

/** Within this many pixels of its end, a conversation follows what is added. */
const NEAR_END = 80;

/** What user and agent said, with the results in between, and the answer that is asked for. */
export function ConversationView({ model }: { model: TaskModel }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const nearEnd = useRef(true);
  const entries = model.entries.value;
  const detail = model.detail.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const stay = (): void => {
      if (nearEnd.current) element.scrollTop = element.scrollHeight;
    };
    // Texts grow without a new entry, too.
    const observer = new ResizeObserver(stay);
    for (const child of element.children) observer.observe(child);
    stay();
    return () => observer.disconnect();
  }, [entries.length]);
  return (
    <div
      class="conversation"
      ref={box}
      role="log"
      aria-label="Conversation"
      tabIndex={0}
      onScroll={(event) => {
        const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
        nearEnd.current = scrollTop + clientHeight >= scrollHeight - NEAR_END;
      }}
    >
      <div class="entries">
        <h2 class="hidden-visually">Conversation</h2>
        {entries.map((entry, index) => (
          <Entry
            key={`${entry.sequence} ${entry.kind} ${entry.artifactId ?? ''}`}
            entry={entry}
            replacedVersion={replacedVersion(entries, index)}
            model={model}
          />
        ))}
        {detail?.question && (
          <Answer key={detail.lastSequence} task={detail} question={detail.question} model={model} />
        )}
      </div>
    </div>
  );
}

/** The version of an artifact that a later entry replaces; the later one shows it. */
function replacedVersion(entries: readonly ConversationEntry[], index: number): number | undefined {
  const id = entries[index]?.artifactId;
  if (id === undefined || id === null) return undefined;
  if (!entries.some(({ artifactId }, other) => other > index && artifactId === id)) return undefined;
  return entries.slice(0, index + 1).filter(({ artifactId }) => artifactId === id).length;
}

function Entry({
  entry,
  replacedVersion: version,
  model,
}: {
  entry: ConversationEntry;
  replacedVersion: number | undefined;
  model: TaskModel;
}): JSX.Element {
  const name = entry.from === 'user' ? 'User' : entry.kind === 'question' ? 'Agent asks' : 'Agent';
  return (
    <section class={`entry ${entry.from} ${entry.kind}`} aria-label={`${name}, event ${entry.sequence}`}>
      <header class="muted">
        <span>{entry.kind === 'artifact' ? 'Artifact' : name}</span>
        <span>
          {entry.at !== null && <Time at={entry.at} />} <span class="mono">#{entry.sequence}</span>
        </span>
      </header>
      <EntryContent entry={entry} version={version} model={model} />
      {entry.cut && <p class="muted">Cut. The list of events has all of it.</p>}
    </section>
  );
}

/** Loads what is inside when it comes near the screen, and keeps it from then on. */
function InView({ children }: { children: ComponentChildren }): JSX.Element {
  const [seen, setSeen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null || seen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      {
        rootMargin: '300px',
      },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [seen]);
  return seen ? <>{children}</> : <div class="unseen" ref={box} />;
}

function EntryContent({
  entry: { kind, artifactId, artifactName, parts },
  version,
  model,
}: {
  entry: ConversationEntry;
  version: number | undefined;
  model: TaskModel;
}): JSX.Element {
  if (kind === 'artifact' && artifactId !== null) {
    if (version === undefined) {
      return (
        <InView>
          <ArtifactView model={model} artifactId={artifactId} compact />
        </InView>
      );
    }
    const href = hrefOf(['tasks', model.taskId], { artifact: artifactId, version: String(version) });
    return (
      <p class="wrap">
        <a href={href}>
          {visibleLine(artifactName ?? artifactId, 120)}, version {version}
        </a>{' '}
        <span class="muted">was replaced later.</span>
      </p>
    );
  }
  if (kind !== 'question') return <MessageParts parts={parts} />;
  // Data of a question describes the form below.
  const data = parts.filter((part) => part.data !== undefined);
  return (
    <>
      <MessageParts parts={parts.filter((part) => part.data === undefined)} />
      {data.length > 0 && (
        <details>
          <summary class="muted">Data of the question</summary>
          <MessageParts parts={data} />
        </details>
      )}
    </>
  );
}

/** The form for what the agent asks: from its schema or its choices if it gave any, otherwise a text. */
function Answer({
  task,
  question,
  model,
}: {
  task: TaskDetail;
  question: Question;
  model: TaskModel;
}): JSX.Element {
  const send = async (parts: readonly Part[], messageId: string): Promise<void> => {
    await call('sendMessage', { body: { messageId, taskId: task.id, parts: [...parts] } });
    model.refresh();
  };
  const isAuth = question.wants === 'auth';
  const isForm = (fieldsOf(question.schema)?.length ?? 0) > 0;
  return (
    <section class="answer" aria-label={isAuth ? 'Authentication required' : 'Answer'}>
      {isAuth && (
        <p class="note">
          The agent needs credentials. Give them where the agent says, never in this form; then tell the agent
          that it can continue.
        </p>
      )}
      {question.url !== null && (
        <p>
          <ForeignLink href={question.url}>
            {isAuth ? 'Sign in' : 'Answer on a page of the agent'}
          </ForeignLink>
        </p>
      )}
      {question.expiresAt !== null && (
        <p class="muted">
          The question expires <Ago at={question.expiresAt} />.
        </p>
      )}
      <GivenAnswer question={question} isForm={isForm} send={send} />
      {!isForm && (
        <MessageForm
          short
          label={isAuth ? 'Message to the agent' : 'Your answer'}
          action={isAuth ? 'Continue' : 'Answer'}
          initial={isAuth ? [{ text: 'Done.' }] : []}
          send={({ parts, messageId }) => send(parts, messageId)}
        />
      )}
    </section>
  );
}

/** What the agent lets choose from: a form, or a button for each choice. */
function GivenAnswer({
  question,
  isForm,
  send,
}: {
  question: Question;
  isForm: boolean;
  send: (parts: readonly Part[], messageId: string) => Promise<void>;
}): JSX.Element {
  const given = useRef<Part>({ text: '' });
  const messageId = useRef(crypto.randomUUID());
  const answer = useAction(() => send([given.current], messageId.current));
  const give = (part: Part): void => {
    given.current = part;
    messageId.current = crypto.randomUUID();
    answer.run();
  };
  return (
    <>
      {isForm && question.schema !== null && (
        <SchemaForm
          schema={question.schema}
          action="Answer"
          busy={answer.busy}
          submit={(data) => give({ data })}
        />
      )}
      {!isForm && question.choices !== null && (
        <div class="actions" role="group" aria-label="Choices">
          {question.choices.map(({ value, label }) => (
            <button key={value} type="button" disabled={answer.busy} onClick={() => give({ text: value })}>
              {visibleLine(label, 80)}
            </button>
          ))}
        </div>
      )}
      {answer.error !== undefined && <Problem error={answer.error} />}
    </>
  );
}
