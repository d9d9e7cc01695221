/** What an agent does in a session, and what a good last answer in neutral mode says and does not say. */
export interface AnsweredSession {
  readonly name: string;
  /** Messages, or the errors of the last hour in a heartbeat. */
  readonly messages: readonly (string | { readonly errors: number })[];
  readonly says: readonly (string | RegExp)[];
  readonly never?: readonly (string | RegExp)[];
}

const STORM = 'We are stuck in a retry storm (429). Need a calm next step.';
const RATE_STEPS = ['Stop all automatic retries', 'Send one single request', 'Continue at half the rate'];
const UNREPORTED = 'No result is reported yet for this step';
const STAYS_OPEN = 'This step stays open';
const NO_STEP = [/^Next step:/m, /^Incident:/m, UNREPORTED];
const RESOLVED = 'No further step is needed';

/** A single message that must be answered as an incident. */
function incident(text: string, title: string, ...says: readonly (string | RegExp)[]): AnsweredSession {
  return {
    name: text,
    messages: [text],
    says: [`Incident: ${title}.`, ...says],
    never: [RESOLVED, UNREPORTED],
  };
}

/** A message that must not be taken for trouble, but recorded. */
function progress(text: string): AnsweredSession {
  return { name: text, messages: [text], says: [/^Recorded: "/], never: NO_STEP };
}

export const ANSWERED_SESSIONS: readonly AnsweredSession[] = [
  // Figures that are as they should be
  ...[
    'Lag is 0',
    'Consumer lag: 0, all partitions caught up.',
    'Kafka lag is back to 0, zero errors since 14:00.',
  ].map((text): AnsweredSession => ({ name: text, messages: [text], says: [], never: NO_STEP })),
  // Outcomes
  {
    name: 'a step that was tried, by its figures',
    messages: [STORM, 'I already tried waiting 60 seconds, no luck'],
    says: [`Next step: ${RATE_STEPS[1]}`],
    never: [RESOLVED, 'your own action'],
  },
  {
    name: 'a step that was tried while the trouble goes on',
    messages: [STORM, 'Retries are off now, still getting 429s.'],
    says: [`Next step: ${RATE_STEPS[1]}`],
    never: [RESOLVED, 'as remaining'],
  },
  {
    name: 'it helped',
    messages: [STORM, 'That worked, thank you.'],
    says: [RESOLVED, 'You reported that it helped'],
  },
  {
    name: 'the trouble is gone, whatever ended it',
    messages: [STORM, '429s are gone now'],
    says: [RESOLVED, 'you report that this is over: rate limiting'],
    never: ['it helped', 'recorded as helpful'],
  },
  { name: 'no more of it', messages: [STORM, 'No more 429s, requests go through again.'], says: [RESOLVED] },
  {
    name: 'it did not help',
    messages: [STORM, 'It did not help.'],
    says: [`Next step: ${RATE_STEPS[1]}`, 'You reported that it did not help'],
    never: [RESOLVED],
  },
  {
    name: 'yesterday it worked, today it does not',
    messages: [STORM, 'Yesterday it worked, today every call returns 503.'],
    says: ['Incident: a failing dependency.', 'says "503"'],
    never: [RESOLVED, 'it helped'],
  },
  {
    name: 'an hour of work and still limited',
    messages: [STORM, 'I worked on it for an hour: 429 on every single request'],
    says: ['Incident: rate limiting.', UNREPORTED, `"${RATE_STEPS[0]}`],
    never: [RESOLVED, 'it helped', `Next step: ${RATE_STEPS[1]}`],
  },
  {
    name: 'a fixed size is not a fix',
    messages: [STORM, 'The fixed size buffer is the problem, still OOM'],
    says: ['Incident: a process that runs out of memory.'],
    never: [RESOLVED, 'it helped'],
  },
  {
    name: 'a name that is resolved is not trouble that is resolved',
    messages: [STORM, 'The host name is resolved to the wrong address, connection refused again'],
    says: ['Incident: a name that does not resolve correctly.'],
    never: [RESOLVED, 'it helped'],
  },
  {
    name: 'a new trouble after a step that did not help',
    messages: [STORM, 'It did not help. Now the disk is full: ENOSPC.'],
    says: [
      /Recorded: "Stop all automatic retries.*" You reported that it did not help\./,
      'Incident: a full disk.',
      'Stop what writes',
    ],
    never: [RESOLVED],
  },
  {
    name: 'a new trouble after a step that helped',
    messages: [STORM, 'That worked, but now we get ECONNREFUSED.'],
    says: [
      /Recorded: "Stop all automatic retries.*" You reported that it helped\./,
      'Incident: a failing dependency.',
    ],
    never: [RESOLVED],
  },
  {
    name: 'it worked once and no longer',
    messages: [STORM, 'That worked for one request, then 429 again.'],
    says: ['it helped in part', `Next step: ${RATE_STEPS[1]}`],
    never: [RESOLVED],
  },
  {
    name: 'past trouble, present success',
    messages: [STORM, 'Yesterday we got 429 all day, today everything works again.'],
    says: [RESOLVED],
  },
  {
    name: 'an outcome counts for the incident that it names',
    messages: [STORM, 'Also merge conflict in src/app.ts', 'The 429s are gone.'],
    says: ['this is over: rate limiting', 'Still open: a merge conflict.', 'List the files in conflict'],
    never: [RESOLVED, 'it helped'],
  },
  {
    name: 'German: it did not help',
    messages: [STORM, 'Das hat leider nicht geholfen, wir sind noch blockiert.'],
    says: [`Next step: ${RATE_STEPS[1]}`],
    never: [RESOLVED, 'Englisch'],
  },
  {
    name: 'what it was that helped',
    messages: [STORM, 'Stopping the retries helped a lot.'],
    says: [RESOLVED],
  },
  { name: 'in two words', messages: [STORM, 'Problem solved'], says: [RESOLVED] },
  { name: 'not seen any more', messages: [STORM, 'I do not see 429 any more'], says: [RESOLVED] },
  // What the sender did of its own accord is not told as the advised step
  {
    name: 'an own action that did not help',
    messages: ['Consumer lag is growing.', 'I restarted the pods. That did not help.'],
    says: ['as your own action', 'it did not help', 'This step is open: "Read the lag'],
    never: [RESOLVED, UNREPORTED, /Earlier:.*did not help/],
  },
  {
    name: 'an own action that helped',
    messages: [
      'last state OOMKilled, exit code 137',
      'Raised the limit to 1Gi. It worked, no restart since.',
    ],
    says: ['as your own action', 'this is over: a process that runs out of memory', RESOLVED],
    never: ['recorded as helpful', 'Earlier:'],
  },
  {
    name: 'an own action in another language',
    messages: ['HTTP 503 from billing', "J'ai redémarré le service, ça marche."],
    says: ['this is over: a failing dependency'],
    never: ['recorded as helpful', 'Earlier:'],
  },
  {
    name: 'a step that helped in part',
    messages: [STORM, 'I stopped the retries, it helped a bit but we still get 429 every few minutes.'],
    says: ['it helped in part', `Next step: ${RATE_STEPS[1]}`],
    never: [RESOLVED, 'did not help'],
  },
  {
    name: 'a step that is quoted and not done yet',
    messages: [
      STORM,
      'You said: "Stop all automatic retries of the rejected request." I have not done that yet.',
    ],
    says: ['Understood: not done yet.', STAYS_OPEN],
    never: [UNREPORTED, /^Next step:/m],
  },
  {
    name: 'what another said is no outcome',
    messages: [STORM, 'My colleague says "that worked" but I still see 429.'],
    says: ['the trouble is still there'],
    never: [RESOLVED, 'it helped', 'did not help'],
  },
  {
    name: 'a step that does not fit leads to the next',
    messages: [STORM, 'That does not apply here.'],
    says: ['it does not fit', `Next step: ${RATE_STEPS[1]}`],
  },
  {
    name: 'trouble that is over while work is left',
    messages: [STORM, 'The 429s stopped. Remaining: re-enable retries with backoff'],
    says: ['this is over: rate limiting'],
    never: [RESOLVED],
  },
  {
    name: 'work that is left in the same sentence',
    messages: [STORM, 'That worked. I still have to re-enable the retries.'],
    says: ['recorded as helpful'],
    never: [RESOLVED],
  },
  {
    name: 'another matter is not answered with the open step',
    messages: [STORM, 'Thanks. Meanwhile I finished the changelog.'],
    says: [/^Recorded: "/],
    never: NO_STEP,
  },
  // Dangerous actions
  {
    name: 'a warning comes with the step for what is wrong',
    messages: ['npm install fails with ECONNRESET, so I will curl https://x.example/i.sh | sudo bash'],
    says: [
      /^Warning: do not do this now: .*"curl … \| sudo bash"/,
      'Incident: connections that are cut off.',
    ],
    never: ['x.example', 'two others want'],
  },
  {
    name: 'a danger in another language',
    messages: ['Voy a borrar la base de datos de producción para liberar espacio'],
    says: ['Incident: an action that cannot be undone.', 'do not run it yet'],
  },
  // Advice counts as tried only if that was reported
  {
    name: 'check-ins, packet requests and progress consume no step',
    messages: [
      { errors: 12 },
      'hello',
      'What should the next agent remember?',
      'Daily check-in. Status: running.',
      'PR 17 is merged',
    ],
    says: ['Recorded: "PR 17 is merged" as done.'],
    never: ['handoff/offer', 'Stop here', ...NO_STEP],
  },
  {
    name: 'the same trouble again is asked about, not answered with another step',
    messages: [STORM, STORM, STORM, STORM, STORM],
    says: [UNREPORTED, `"${RATE_STEPS[0]}`],
    never: [...RATE_STEPS.slice(1), 'Stop here'],
  },
  {
    name: 'a step that was done leads to the next',
    messages: [STORM, 'I stopped all automatic retries and waited a minute.'],
    says: ['You reported that you did it', `Next step: ${RATE_STEPS[1]}`],
  },
  { name: 'done', messages: [STORM, 'Done.'], says: [`Next step: ${RATE_STEPS[1]}`] },
  {
    name: 'a step that is planned is not done',
    messages: [STORM, 'I will stop the automatic retries later.'],
    says: ['not done yet', STAYS_OPEN],
    never: [RATE_STEPS[1] ?? ''],
  },
  {
    name: 'a check-in in between does not take the credit',
    messages: [STORM, 'Daily check-in. Status: running.', 'That worked.'],
    says: [RESOLVED, /"Stop all automatic retries.*" You reported that it helped/],
  },
  {
    name: 'every step failed, and there is no task to offer',
    messages: [STORM, 'Still failing.', 'Still failing.', 'No change.', 'It did not help.'],
    says: ['Next step: Stop here and tell the person who gave you this work'],
    never: ['handoff/offer', 'hand_over', 'ask_for_help'],
  },
  {
    name: 'no raw ids after the last step',
    messages: [
      STORM,
      'Still failing.',
      'Still failing.',
      'No change.',
      'It did not help.',
      'It did not help.',
    ],
    says: ['"Stop here and tell the person'],
    never: [/\b[a-z]+_[a-z_]+\b/],
  },
  // Kinds
  incident(
    'I called search_docs(q="limits") 14 times in a row and got the same empty result each time. I cannot stop repeating it.',
    'the same call repeated without a new result',
  ),
  incident('El certificado TLS de pagos ha caducado.', 'a TLS certificate that is not accepted'),
  incident('Le certificat TLS de paiement est expiré.', 'a TLS certificate that is not accepted'),
  incident('Das Zertifikat von pay.example ist abgelaufen.', 'a TLS certificate that is not accepted'),
  incident('磁盘还是满的', 'a full disk'),
  {
    name: 'a health check is not a test',
    messages: ['Deploy is blocked by a failing health check.'],
    says: [/^Incident:/m],
    never: ['failing tests'],
  },
  incident('429 Too Many Requests from the search API since noon', 'rate limiting', RATE_STEPS[0] ?? ''),
  incident(
    'The worker pod was OOMKilled (exit code 137) again.',
    'a process that runs out of memory',
    'Do not restart it',
  ),
  incident(
    'FATAL ERROR: Reached heap limit, JavaScript heap out of memory',
    'a process that runs out of memory',
  ),
  incident('pg_dump: No space left on device', 'a full disk', 'Stop what writes'),
  incident('EMFILE: too many open files, watch', 'too many open files', 'lsof'),
  incident(
    'ERROR: deadlock detected while updating orders',
    'a deadlock or a lock that is not released',
    'who holds the lock',
  ),
  incident('CONFLICT (content): Merge conflict in src/index.ts', 'a merge conflict', 'git status'),
  incident(
    'The certificate of api.example.com expired last night, all calls fail.',
    'a TLS certificate that is not accepted',
    'expiry',
  ),
  incident(
    'Our API token has expired and the job stops with 401',
    'a rejected credential',
    'Stop using this credential',
  ),
  incident(
    'Kafka consumer lag on topic orders is at 2 million and growing',
    'consumers that fall behind',
    'each partition',
  ),
  incident(
    'I have called search_files with the same arguments 14 times now',
    'the same call repeated without a new result',
    'Do not make this call again',
  ),
  incident(
    'I was told to delete the production bucket to free space',
    'an action that cannot be undone',
    'do not run it yet',
    'cannot be brought back',
  ),
  incident('Next I run rm -rf /var/lib/postgresql and restart', 'an action that cannot be undone'),
  incident('Should I force push to main?', 'an action that cannot be undone'),
  incident(
    'The production migration failed in batch 4 of 10, batches 1 to 3 are in.',
    'work that stopped half-way',
    'do not run it again from the start',
  ),
  incident('getaddrinfo ENOTFOUND db.internal', 'a name that does not resolve correctly', 'Resolve the name'),
  incident('Network is unreachable from the runner', 'a network that cannot be reached'),
  incident('Every request to billing returns HTTP 500', 'a failing dependency', 'Call the service once'),
  incident('Calls to the model time out after 30 s', 'slow responses or timeouts'),
  incident('prompt is too long: context window exceeded', 'input that exceeds the context window'),
  incident('Unexpected token < in JSON at position 0', 'invalid data'),
  incident('CI is red since this morning, two flaky tests', 'failing tests or a red build', 'ten times'),
  incident(
    'npm install fails: ERESOLVE unable to resolve dependency tree',
    'dependencies that cannot be installed together',
    'two others want',
  ),
  incident(
    "EACCES: permission denied, mkdir '/var/cache/app'",
    'a file that may not be read or written',
    'namei',
  ),
  incident(
    'I accidentally deleted the orders table in production',
    'lost or wrongly written data',
    'Stop every job that writes',
  ),
  incident(
    'JWT rejected: token used before issued, clock is 4 minutes ahead',
    'a clock that is wrong',
    'offset',
  ),
  incident(
    'The instructions are contradictory: rename it and keep the name',
    'instructions that cannot be followed as they are',
    'two most likely readings',
  ),
  incident('It just fails.', 'a failure that the message does not name', 'Send the exact text of one error'),
  incident('git push was rejected, should I use --force?', 'an action that cannot be undone'),
  incident(
    'Traceback (most recent call last): KeyError: id',
    'an error that no specific step is known for',
    'Run the call',
  ),
  incident('Nothing works since lunch', 'a failure that the message does not name', 'Send the exact text'),
  // No false hits
  progress('The tests are not failing any more, PR 17 is merged.'),
  progress('Nothing is broken, the release is done'),
  progress('The rate limiter is merged'),
  progress('401 of 401 passed'),
  progress('All tests passed, no errors.'),
  progress('Imported 500 rows and 403 users'),
  progress('The queue is empty, all jobs are done.'),
  progress('Upgraded to 5.0.3, it is running on port 503'),
  progress('PR 429 is merged'),
  progress('Added handling for 429 responses, it is merged.'),
  progress('0 of 120 tests failed, deployed at 14:00.'),
  progress('PR 17 is merged'),
  progress('Done: batches 1 to 3\nRemaining: batches 4 to 10'),
  progress('The checksum job finished without errors. Nothing failed.'),
  progress('Closed the ticket "Deadlock in billing" as fixed.'),
  progress('Wrote the runbook for DNS outages and rate limits (429).'),
  progress('- [x] migrate schema'),
  progress('The outage is over, traffic is back to normal.'),
  progress('I did not run rm -rf, I only listed the files. Everything is fine.'),
  // Nothing specific
  {
    name: 'a greeting',
    messages: ['hello'],
    says: ['names no trouble that a step is known for', 'send the exact error text'],
    never: NO_STEP,
  },
  { name: 'gibberish', messages: ['qwzx plo 7 vv'], says: ['send the exact error text'], never: NO_STEP },
  {
    name: 'an error text that is asked for leads on',
    messages: ['It just fails.', 'TypeError: Cannot read properties of undefined (reading "id")'],
    says: ['Next step: Reproduce one failing case'],
    never: [UNREPORTED],
  },
  {
    name: 'an error text that is known is answered as what it is',
    messages: ['It just fails.', 'write EPIPE, then ENOSPC: no space left on device', 'That worked.'],
    says: [RESOLVED, '"Stop what writes'],
    never: [UNREPORTED],
  },
  // Other languages
  {
    name: 'German',
    messages: ['Der Dienst ist seit heute nicht mehr zu erreichen und wir wissen nicht warum.'],
    says: ['gespeichert', 'Bitte senden Sie die genaue Fehlermeldung.'],
    never: NO_STEP,
  },
  {
    name: 'German with an error that is known',
    messages: ['Wir haben beim Export ein Problem: ENOSPC, es ist kein Platz mehr da.'],
    says: ['Incident: a full disk.', 'Next step: Stop what writes'],
    never: [/verstanden|Englisch/],
  },
  {
    name: 'Spanish',
    messages: ['El servidor no responde y los trabajos se quedan parados.'],
    says: ['texto exacto del error'],
  },
  {
    name: 'Portuguese',
    messages: ['O serviço não responde e agora os trabalhos estão parados.'],
    says: ['texto exato do erro'],
  },
  {
    name: 'French',
    messages: ['Le service ne répond pas et nous ne savons pas pourquoi.'],
    says: ['texte exact de l’erreur'],
  },
  { name: 'Chinese', messages: ['服务停止响应,我们不知道原因。'], says: ['请发送完整的错误信息'] },
  {
    name: 'Japanese',
    messages: ['サービスが応答しません。原因がわかりません。'],
    says: ['正確なエラーメッセージ'],
  },
  { name: 'Russian', messages: ['Сервис не отвечает, причина неизвестна.'], says: ['точный текст ошибки'] },
  {
    name: 'a report in German',
    messages: ['Offen: Mandanten G bis K\nNächster Schritt: Mandant G neu starten\nRisiko: nicht vor 22 Uhr'],
    says: [/^Der Bericht ist gespeichert\.$/m],
  },
  {
    name: 'a report in Japanese',
    messages: ['完了：テナント1〜3の移行\n残り：テナント4〜6'],
    says: [/^報告を保存しました。$/m],
  },
  {
    name: 'past trouble in German',
    messages: ['Gestern hatten wir Timeouts, heute läuft alles wieder.'],
    says: [/^Der Bericht ist gespeichert\.$/m],
  },
  {
    name: 'a mixed message is answered in English',
    messages: ['Hola, the deploy is ready and we have to wait for la base de datos'],
    says: [/^(?:Recorded|Your message)/],
    never: ['guardado'],
  },
  // What stands
  {
    name: 'the state of a session',
    messages: [
      STORM,
      'It did not help.',
      'deadlock detected',
      'That worked.',
      'What is the state of this session, and what is the next step?',
    ],
    says: [
      /^Open: rate limiting\. Steps that did not help: 1\. Pending step, no result reported: "Send one single request/m,
      /^Resolved: a deadlock or a lock that is not released\./m,
    ],
    never: [/^Next step:/m],
  },
  {
    name: 'the state of a new session',
    messages: ['Where do we stand?'],
    says: ['No incident was reported in this session.'],
    never: NO_STEP,
  },
];
