/**
 * A session as people and agents talk in a chat, and what a packet and an answer may and may not make of it. It is checked by
 * meaning: what must be among the facts, and what would be a false statement.
 */
export interface ToldSession {
  readonly name: string;
  /** The last one is answered in neutral mode; the packet is asked for after it. */
  readonly messages: readonly string[];
  /** Each is in a fact that is recorded as done. */
  readonly done?: readonly RegExp[];
  /** None is in a fact that is recorded as done. */
  readonly notDone?: readonly RegExp[];
  /** Each is in a fact that is recorded as remaining, or in the next action. */
  readonly open?: readonly RegExp[];
  readonly notOpen?: readonly RegExp[];
  readonly next?: RegExp;
  readonly error?: RegExp | null;
  readonly risk?: RegExp;
  readonly answer?: readonly RegExp[];
  readonly answerNever?: readonly RegExp[];
  /** Whether the reporter said that nothing is left. */
  readonly isFinished?: true;
}

export const TOLD_SESSIONS: readonly ToldSession[] = [
  {
    name: 'a chat about files in a bucket',
    messages: [
      'hey, good morning! picking this up where Lena left it',
      "so far I've moved the avatars and the thumbnails over to the new bucket, haven't touched the originals yet",
      'cool, thanks!',
    ],
    done: [/moved the avatars/],
    notDone: [/morning/, /thanks/, /originals/],
    open: [/originals/],
  },
  {
    name: 'the middle of a range is done, then its beginning',
    messages: [
      'Remaining: chapters 1 to 12',
      'chapters 4 to 7 are translated',
      'chapters 1, 2 and 3 are translated as well',
    ],
    done: [/chapters 4 to 7/, /chapters 1, 2 and 3/],
    open: [/chapters 8(?:-| to )12/],
    notOpen: [/1 to 12/],
    answerNever: [/Incident/],
  },
  {
    name: 'two of four things in one sentence',
    messages: ['Remaining: sync customers, invoices, payments and refunds', 'Synced customers and invoices.'],
    done: [/Synced customers and invoices/],
    open: [/payments/, /refunds/],
    notOpen: [/invoices/, /customers/],
  },
  {
    name: 'a list of numbers with an exception',
    messages: ['Files 1, 2, 3 and 5 are converted, 4 is corrupt.'],
    done: [/Files 1, 2, 3 and 5/],
    notDone: [/^\d$/, /corrupt/],
  },
  {
    name: 'German: exported, not deleted',
    messages: ['Ich habe die Tabelle audit_log noch nicht gelöscht, nur exportiert.'],
    notDone: [/gelöscht/],
    answerNever: [/Recorded: [^;]*gelöscht[^;]* as done/],
  },
  {
    name: 'German: thought to be through, and was not',
    messages: ['Ich dachte, der Import wäre durch, war er aber nicht, 300 Zeilen fehlen noch.'],
    notDone: [/Import/, /durch/],
    open: [/300 Zeilen/],
  },
  {
    name: 'Spanish: one thing is done, another untouched',
    messages: ['Hola, ya está hecho lo de los permisos. Todavía no he tocado las cuotas.'],
    done: [/permisos/],
    notDone: [/Hola,? *$/, /cuotas/],
    open: [/cuotas/],
  },
  {
    name: 'Portuguese: one server done, one failed, one not begun',
    messages: [
      'Bom dia! Terminei o backup do servidor A. O servidor B deu erro de permissão e o C nem comecei.',
    ],
    done: [/servidor A/],
    notDone: [/servidor B/, /nem comecei/, /Bom dia/],
    error: /permissão/,
  },
  {
    name: 'French: praise after a plan',
    messages: ['Reste à faire : purger le cache, relancer les workers', 'Ça a marché, merci beaucoup !'],
    notDone: [/merci/, /marché/],
    open: [/purger le cache/, /relancer les workers/],
  },
  {
    name: 'Japanese: one table is done, one is not',
    messages: ['テーブルAの移行は完了しました。テーブルBはまだです。'],
    done: [/テーブルA/],
    notDone: [/テーブルB/],
    open: [/テーブルB/],
  },
  {
    name: 'Chinese: one table is done, one is not',
    messages: ['用户表已经迁移完了，订单表还没有迁移。'],
    notDone: [/订单表还没有/],
  },
  {
    name: 'one problem is resolved, the other is not',
    messages: [
      'Two problems: DNS for api.internal fails, and the certificate of the proxy is expired.',
      'The DNS issue is resolved, but the certificate problem is not.',
    ],
    notDone: [/certificate/],
    open: [/certificate/],
    answerNever: [/No further step is needed/],
  },
  {
    name: 'figures that are fine again',
    messages: ["Kafka lag is back to 0, zero errors since 14:00. Next I'll re-enable the second consumer."],
    next: /re-enable the second consumer/,
    error: null,
    answerNever: [/Incident/],
  },
  {
    name: 'believed to be finished',
    messages: [
      "I believed the rollback had finished, turns out it hadn't. Two pods still run the old image.",
    ],
    notDone: [/rollback/],
    open: [/rollback|Two pods/],
  },
  {
    name: 'a question about the work',
    messages: ["Did we finish the reindex? I'm not sure the last run completed."],
    notDone: [/reindex/, /last run/],
  },
  {
    name: 'conditions and intentions',
    messages: [
      "Once the migration is finished I'll drop the old index.",
      'If the tests pass we can merge the branch.',
    ],
    notDone: [/migration/, /tests pass/, /merge/],
  },
  {
    name: 'taken back in part',
    messages: ['Deployed to eu and us.', 'Scratch that: us was rolled back 5 minutes ago.'],
    notDone: [/eu and us/],
  },
  {
    name: 'a measure that changed nothing',
    messages: ["Our pods keep getting OOMKilled, I bumped the memory to 2Gi and it didn't change anything."],
    notDone: [/change anything/],
    error: /OOMKilled/,
    answer: [/Incident: .*memory/],
    answerNever: [/helped/, /No further step is needed/],
  },
  {
    name: 'a percentage of a job',
    messages: ["Backfill is at 63%, 37% to go. Risky bit: the job can't be restarted with the same id."],
    notDone: [/Backfill/],
    open: [/37% to go/],
    risk: /can't be restarted/,
  },
  {
    name: 'hearsay',
    messages: ["Marco said he finished the firewall change, I haven't verified it."],
    notDone: [/^he finished the firewall change/, /verified/],
    open: [/verified it/],
  },
  {
    name: 'a step that was tried',
    messages: [
      'We are stuck in a retry storm, every request gets a 429.',
      'I stopped all automatic retries. Still 429.',
    ],
    done: [/stopped all automatic retries/],
    notDone: [/429/],
    answer: [/Send one single request/],
    answerNever: [/Next step: Stop all automatic retries/, /helped\b/],
  },
  {
    name: 'three of five regions',
    messages: ['Done with 3 of 5 regions: eu, us, ap. sa and af tomorrow morning.'],
    done: [/eu, us, ap/],
    notDone: [/sa and af/],
    open: [/sa and af/],
  },
  {
    name: 'Italian: cleaned, not restarted',
    messages: ['Ho finito la pulizia dei log, ma non ho ancora riavviato il servizio.'],
    done: [/pulizia dei log/],
    notDone: [/riavviato/],
    open: [/riavviato/],
  },
  {
    name: 'Russian: a backup that nobody has tried to restore',
    messages: ['Бэкап готов, но восстановление я ещё не проверял.'],
    done: [/Бэкап готов/],
    notDone: [/восстановление/],
    open: [/восстановление/],
  },
];
