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
/** Entries that are drawn at once. */
const MOST_SHOWN = 40;

/** What user and agent said, with the results in between, and the answer that is asked for. The end of it, and more on demand. */
export function ConversationView({ model }: { model: TaskModel }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const nearEnd = useRef(true);
  /** The height of what is below, before something is added above it. */
  const below = useRef<number | undefined>(undefined);
  /** The event that begins what is drawn. Undefined at the end: the newest are. */
  const [begin, setBegin] = useState<number>();
  const entries = model.entries.value;
  const detail = model.detail.value;
  const shown =
    begin === undefined ? entries.slice(-MOST_SHOWN) : entries.filter(({ sequence }) => sequence >= begin);
  const first = shown[0]?.sequence;
  const isMore = model.hasEarlierEntries.value || shown.length < entries.length;
  const earlier = useAction(async () => {
    const hidden = entries.length - shown.length;
    if (hidden === 0) await model.readEarlier();
    const known = model.entries.peek();
    const end = known.length - entries.length + hidden;
    below.current = box.current === null ? 0 : box.current.scrollHeight - box.current.scrollTop;
    setBegin(known[Math.max(0, end - MOST_SHOWN)]?.sequence);
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && below.current !== undefined)
      element.scrollTop = element.scrollHeight - below.current;
    below.current = undefined;
  }, [first]);
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
        const isNear = scrollTop + clientHeight >= scrollHeight - NEAR_END;
        // What somebody reads stays where it is; at the end, the newest push the oldest out.
        if (isNear !== nearEnd.current) setBegin(isNear ? undefined : first);
        nearEnd.current = isNear;
      }}
    >
      <div class="entries">
        <h2 class="hidden-visually">Conversation</h2>
        {isMore && (
          <button type="button" class="small" disabled={earlier.busy} onClick={earlier.run}>
            Show what was said before
          </button>
        )}
        {earlier.error !== undefined && <Problem error={earlier.error} retry={earlier.run} />}
        {shown.map((entry) => (
          <Entry
            key={`${entry.sequence} ${entry.kind} ${entry.artifactId ?? ''} ${entry.messageId ?? ''}`}
            entry={entry}
            isReplaced={isReplaced(entries, entry)}
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

/** Whether a later entry replaces an artifact and shows it. */
function isReplaced(
  entries: readonly ConversationEntry[],
  { artifactId, sequence }: ConversationEntry,
): boolean {
  if (artifactId === null) return false;
  const newest = entries.findLast((entry) => entry.artifactId === artifactId);
  return newest !== undefined && newest.sequence > sequence;
}

/** The version of an artifact that an event began. Unknown if the timeline does not reach back so far. */
function versionAt(model: TaskModel, { artifactId, sequence }: ConversationEntry): number | undefined {
  // Not a peek: the timeline may be read after the conversation.
  const item = model.items.value.find(
    (each) => each.kind === 'artifact' && each.artifactId === artifactId && each.firstSequence === sequence,
  );
  return item?.kind === 'artifact' ? item.version : undefined;
}

function Entry({
  entry,
  isReplaced: replaced,
  model,
}: {
  entry: ConversationEntry;
  isReplaced: boolean;
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
      <EntryContent entry={entry} isReplaced={replaced} model={model} />
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
  entry,
  isReplaced: replaced,
  model,
}: {
  entry: ConversationEntry;
  isReplaced: boolean;
  model: TaskModel;
}): JSX.Element {
  const { kind, artifactId, artifactName, parts } = entry;
  if (kind === 'artifact' && artifactId !== null) {
    if (!replaced) {
      return (
        <InView>
          <ArtifactView model={model} artifactId={artifactId} compact />
        </InView>
      );
    }
    const version = versionAt(model, entry);
    const name = visibleLine(artifactName ?? artifactId, 120);
    if (version === undefined) return <p class="wrap muted">{name} was replaced later.</p>;
    const href = hrefOf(['tasks', model.taskId], { artifact: artifactId, version: String(version) });
    return (
      <p class="wrap">
        <a href={href}>
          {name}, version {version}
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
