import { NO_INCIDENT } from '../incidents/incident-kinds.ts';
import { isPast } from '../incidents/statements.ts';
import { readIncident } from '../incidents/read-incident.ts';
import { FINISHED, mayBeDone, RESOLVED, saysDone, saysOver } from './finished-work.ts';
import type { Note } from './note.ts';
import { anyOf, pieces, words } from './note-words.ts';
import {
  isAskedOfHub,
  isAsking,
  isAsserted,
  isBareCompletion,
  isBareOutcome,
  isNegated,
  isNotYet,
  isQuestion,
  isSmallTalk,
  ordersReader,
  isReassuring,
  isStatement,
  namesException,
  withoutLeadIn,
} from './speech-acts.ts';

/*
 * What a sentence reports, as data. The words of all languages are tried: a report in German names files, commands and errors in
 * English. Sentences are cut before, so each pattern looks at a few hundred characters.
 */

const NOT_DONE = `${FINISHED}|started|begun|touched`;

const NOTHING_LEFT = anyOf(
  words(
    'nothing (?:else |more )?(?:is |was )?(?:left|remaining|remains|open|outstanding|pending)(?: to do| to be done)?',
    'nothing (?:else |more )?(?:is )?to (?:do|be done)',
    'no (?:remaining|open|outstanding|pending|further|more) (?:work|tasks?|items?|steps?|todos?)(?: (?:is|are|left|remain))*',
    'nothing remains',
    '(?:everything|all) (?:is|was|has been|are) (?:now |already )?(?:done|finished|complete|completed)',
    'all done',
    'nichts (?:mehr |weiter )?(?:offen|übrig|zu tun)',
    'nichts mehr',
    'es (?:ist|bleibt) nichts (?:mehr )?(?:offen|übrig|zu tun)',
    '(?:alles|alle) (?:ist |sind )?(?:erledigt|fertig|abgeschlossen)',
    'no (?:queda|falta|hay) nada(?: pendiente| por hacer| más)*',
    'nada (?:queda )?(?:pendiente|por hacer)',
    'todo (?:está |queda )?(?:hecho|listo|terminado|completado)',
    'il ne reste (?:plus )?rien',
    '(?:plus )?rien à faire',
    'tout est (?:fait|fini|terminé)',
    'não (?:falta|resta) (?:mais )?nada',
    'non (?:resta|manca|rimane) (?:più )?(?:nulla|niente)',
  ),
  pieces(
    '全部完了|すべて完了|残りはありません|残作業なし|全部完成|没有剩余|все (?:сделано|готово)|ничего не осталось',
  ),
);

const NEXT = anyOf(
  /^(?:the )?next (?:step|action|thing)s? (?:is|are|would be|will be|should be)\b|^(?:as (?:the |a )?)?next,? (?:i|we|you|someone|somebody|the next agent|step)\b|^(?:you|the next agent|the successor|whoever continues) (?:should|must|needs? to|has to|can)\b/iu,
  /^(?:then |now )?(?:i|we)(?:'ll| will| plan to| intend to|'m going to| am going to| are going to) (?:now |then |next )?(?:continue|proceed|resume|finish|go on|carry on)\b/iu,
  /^[^,;:?]{1,60} (?:is |are |comes? |will be )?(?<!(?:what|what's|what is|come) )next[.!]*$/iu,
  /^(?:als nächstes|nächster schritt|der nächste schritt|ich mache (?:jetzt )?weiter mit|weiter geht es mit)(?!\p{L})/iu,
  /^(?:el siguiente paso|el próximo paso|a continuación|o próximo passo|il prossimo passo|la prochaine étape|l'étape suivante|je continue avec|sigo con)(?!\p{L})/iu,
);

const CAREFUL = anyOf(
  /^(?:please |and |but |so )?(?:be (?:very )?careful|careful|watch out|beware|caution|warning|attention|make sure (?:not|never|nobody|no one)|important)(?!\p{L})/iu,
  /(?:^|[,;:] ?(?:and |but |so |please )?|\band |\bbut |\bplease )(?:do not|don't|never(?! ?mind)|must not|under no circumstances)(?!\p{L})/iu,
  /^(?:stop|hold|halt|freeze|pause) (?:everything|all|any|every)\b/iu,
  words(
    '(?:the|one|a|an|biggest|main|only|remaining) risk (?:is|would be)',
    "(?:(?:must|may|should|shall|can) not|mustn't|shouldn't|can't|cannot) be (?:re)?\\p{L}+(?:ed|run|done|sent|built|shut|cut)",
    '(?:must|should|shall|may) not (?:run|start|restart|touch|delete|drop|repeat|happen|be)',
    'achtung|vorsicht|auf keinen fall|niemals|keinesfalls',
    '(?:darf|dürfen|soll|sollen|sollte|sollten) (?:[\\p{L}\\p{N}-]+ ){0,4}(?:nicht|kein|keine|keinen|nur)',
    'bitte (?:[\\p{L}\\p{N}-]+ ){0,3}nicht',
    'cuidado|ojo|peligro|nunca|no (?:ejecutar|ejecute|ejecutes|reiniciar|reinicie|reinicies|borrar|borre|borres|tocar|toque|toques|lanzar|volver|repetir|debe|deben|se debe|hay que)',
    'attention|prudence|ne (?:pas|jamais)|il ne faut pas|ne doi(?:t|vent) (?:pas|jamais)|surtout pas',
    'atenção|não (?:executar|execute|reiniciar|apagar|rodar|tocar|repetir|deve|devem)',
    'attenzione|non (?:eseguire|riavviare|cancellare|toccare|deve|devono)',
    'осторожно|нельзя|не (?:запускать|запускайте|удалять|удаляйте|перезапускать|трогать)',
  ),
  pieces(
    'してはいけない|しないで|しないこと|要注意|注意してください|ご注意|不要再?(?:运行|重启|删除|重复|执行|动)|切勿|请勿|하지 ?마',
  ),
);
/** What forbids until something has happened takes nothing back. */
const UNTIL = words(
  'before|until|unless|without|while|during|twice|again|bevor|bis|ohne|zweimal|antes|hasta|sin|dos veces|avant|jusque?|sans|deux fois',
);
const FORBIDS =
  /(?:^|[,;:.] ?|please |but |and )(?:do not|don't|do NOT|never|no longer)\b|^(?:nicht|no|ne pas|não)\b|\b(?:must|should) not\b/iu;

const WAITING = words(
  "(?:am |are |is |still |'m |'re )*(?:waiting|awaiting) (?:for|on)|awaiting",
  'blocked (?:by|on|until|because)|(?:is|are|am|was) blocked|on hold|paused until|depends on|stuck (?:until|waiting)',
  "(?:cannot|can't|could not) (?:continue|proceed|go on|start)",
  '(?:needs?|requires?|pending) (?:an? |the |his |her |their )?(?:[^\\s,;.]+ )?(?:approval|sign-off|permission|access|credentials|confirmation|answer|decision)',
  'waits? for',
  '(?:ich |wir )?warten?(?: noch)? auf|wartet(?: noch)? auf|(?:ist|sind|bin) blockiert|blockiert (?:durch|von)|auf (?:die )?freigabe',
  '(?:estoy |estamos |sigo )?esperando|espero (?:a|la|el|que|respuesta)|a la espera de|(?:está|estoy|estamos) bloquead[oa]s?|bloquead[oa] por',
  "en attente|j'attends|nous attendons|on attend|(?:est|suis|sommes) bloquée?s?|bloquée? par",
  'aguardando|esperando|in attesa|жду|ждём|ждем|заблокирован[оа]?',
);

const OPEN = anyOf(
  words(
    '(?:is|are|was|were) (?:still |all |also |now )*(?:left|missing|outstanding|unfinished|open|pending|undone|incomplete|in progress|under way|half[- ]\\p{L}+)',
    '(?:the )?(?:only|last|one|other) (?:thing|step|item|part|task)s? (?:that is |that are )?left',
    "(?:what is|what's|what are) (?:still )?(?:left|missing|open)",
    `(?:is|are|was|were|has|have|had|been)(?: not|n't| never) (?:yet |been |even |fully |completely |actually )*(?:${NOT_DONE}|run)(?! (?:that|it|this|so)(?!\\p{L}))`,
    `not (?:yet |been |even )*(?:${NOT_DONE})(?! (?:that|it|this|so)(?!\\p{L}))`,
    `never (?:been )?(?:${NOT_DONE})`,
    `(?:yet|still|remains?|left) to (?:be |do )?(?:\\p{L}+)`,
    'still (?:needs?|have|has|had|requires?|missing|open|pending|outstanding|to do|todo|running|working on)',
    '(?:needs?|have|has) to be (?:re)?\\p{L}+',
    '(?:i|we) (?:still )?(?:have to|need to|must|should still)(?! (?:know|say|admit))',
    'nothing (?:has been |is |was )?(?:done|started|finished|migrated|deployed|tested) (?:so far|yet|there|here|for|on)?',
    "(?:i|we) (?:did not|didn't|have not|haven't|could not|couldn't) (?:yet )?(?:get to|got to|reach|reached|finish|finished|start|started|complete|completed|test|tested)(?! (?:that|it|this)(?: yet)?\\.?$)",
    "(?:i|we) (?:did not|didn't|have not|haven't) (?:deploy(?:ed)?|do|done|run|upload(?:ed)?|migrated?|delete|deleted|restart(?:ed)?) (?!that |it |this |so )[^,;]{1,80} yet",
    "(?:i|we) (?:was|were|am|are|'m|'re) (?:just )?(?:about to|going to finish|in the middle of|half ?way|busy with|working on|still working on)",
    '(?:half[- ]?way|in the middle of|half[- ]done|half[- ]finished|half of the \\p{L}+ (?:is|are))',
    'remains?|remaining (?:is|are)|still fails?|to be continued',
    '(?!100)\\d{1,2} ?% (?:done|complete|completed|finished|through|fertig|erledigt)|(?:is|are|am|ist|está) (?:still )?at (?!100)\\d{1,2} ?%',
    '(?:\\d+ ?%|\\d+|rest|some|many|few|lots|more|all) (?:\\p{L}+ )?to go|(?:not|n.t) (?:got|get|gotten) (?:around )?to|(?:still )?gotta|up next',
    '(?:almost|nearly|not quite|fast|beinahe|casi|presque|quase|quasi|почти) (?:all )?(?:done|finished|complete|completed|ready|through|fertig|erledigt|durch|list[oa]s?|terminad[oa]s?|fini|terminé|pronto|finito|готов[оаы]?)',
    "(?:did not|didn't|does not|doesn't|has not|hasn't) (?:go through|gone through|succeed|succeeded|happen|happened|exist|pass|apply|take effect|land)",
  ),
  /^(?:currently|right now|at the moment|now|meanwhile|in progress|wip)[,:]? (?:i am |i'm |we are |we're )?\p{L}+ing(?!\p{L})/iu,
  words(
    '(?:es |mir |uns |nur |jetzt )*fehl(?:en|t)(?!\\p{L}) (?:nur |mir |uns |jetzt )*noch|fehl(?:en|t) (?:[\\p{L}\\p{N}-]+ ){0,4}noch|noch (?:offen|ausstehend|zu tun|zu erledigen|nicht|übrig|ausstehen|machen|erledigen)|fehlen noch|fehlt noch',
    'steh(?:t|en) (?:[\\p{L}\\p{N}-]+ ){0,4}(?:noch )?aus|(?:muss|müssen|bleibt|bleiben) (?:[\\p{L}\\p{N}-]+ ){0,4}noch|noch (?:[\\p{L}\\p{N}-]+ ){0,5}(?:werden|zu \\p{L}+en)|bleib(?:t|en) noch',
    '(?:ist|sind|wurde|wurden) (?:[\\p{L}\\p{N}-]+ ){0,3}(?:noch )?nicht (?:[\\p{L}\\p{N}-]+ ){0,2}(?:fertig|erledigt|gemacht|abgeschlossen|\\p{L}+iert|ge\\p{L}+t|ge\\p{L}+en)|(?:sind|ist) (?:noch )?offen|übrig (?:ist|sind|bleibt|bleiben)',
    'falt(?:a|an)(?! de(?!\\p{L}))|(?<!se )qued(?:a|an)(?! nada)|todavía no|aún no|pendientes?|por (?:hacer|terminar|migrar|revisar)|hay que|ten(?:go|emos) que|sin (?:terminar|hacer|migrar|probar)',
    "il (?:me |nous )?(?:reste|manque)|rest(?:e|ent)(?! rien)|manquent|pas encore|il faut|doi(?:t|vent) encore|à faire|n'(?:est|a|ont|sont) pas (?:[\\p{L}]+ ){0,2}(?:faite?s?|terminée?s?|finie?s?|migrée?s?|testée?s?)",
    'falta(?:m)?(?! de)|ainda (?:não|falta|faltam)|resta(?:m)?|pendentes?',
    'manca(?:no)?|resta(?:no)?|rimane|rimangono|non (?:ancora|è ancora)|da fare',
    'осталось|осталась|остались|ещё не|еще не|нужно ещё|нужно еще',
  ),
  pieces(
    'まだ|残ってい|残りは|未完了|未実施|未着手|还(?:剩|没|需要|有)|尚未|剩下|未完成|아직|남았|남아|남은',
  ),
  // Fragments: "5 and 6 pending".
  /^[^;:?]{1,80} (?:still |noch |all |both )?(?:in progress|under way|underway|pending|outstanding|not started|unfinished|open|to do|todo|wip|missing|remaining|fehl(?:t|en)|offen|pendientes?|en curso|en cours|em andamento|in corso)[.!]*$/iu,
);

/** What goes on; of trouble that goes on, nothing is left to do by that. */
const STILL_GOING = words(
  'still (?!works?|passes|runs|holds|green|healthy|fine|good|the same|up|alive|online)(?:\\p{L}+s|\\p{L}+ing)',
);

/** What the reporter means to do. */
const INTENDS = words(
  "(?:i|we)(?:'ll| will| am going to|'m going to| are going to|'re going to| intend to| plan to| want to) (?!let|keep you|be|see|report|update you|get back|ping|tell|ask|think|wait|take a look|do (?:it|that|this|so)|try (?:it|that|this)|not|never|remember|have)\\p{L}+",
  '(?:gonna|(?:i )?(?:will|want to|plan to)) (?:do|finish|tackle|handle|continue)',
);

const DECIDED = anyOf(
  words(
    '(?:i|we|the team|they) (?:have |had )?(?:decided|agreed|chose|settled)',
    'it was (?:decided|agreed)',
    '(?:wir|ich) (?:haben|habe) (?:[\\p{L}\\p{N}-]+ ){0,6}(?:entschieden|beschlossen)',
    'hemos decidido|he decidido|decidimos|se decidió|nous avons décidé|on a décidé|decidimos|abbiamo deciso|решили',
  ),
);

const ERROR = anyOf(
  words(
    'fail(?:s|ed|ing|ure|ures)?|crash(?:es|ed|ing)?|crashloop\\p{L}*|abort(?:s|ed)?|errored|broke|broken|timed out|times out|timeouts?',
    '(?:was |were |is |are |gets? |got )?(?:refused|rejected|denied|corrupt(?:s|ed)?|killed|interrupted)',
    'exit(?:s|ed)? (?:early |immediately )?with|exit(?:ed)? (?:code|status) ?:? ?[1-9]\\d*|oomkilled|out of memory|panic(?:s|ked)?|segfault(?:s|ed)?|segmentation fault|deadlocks?|ran out of|no space left|out of (?:disk|space|memory)',
    '(?:is|are) full|throws|threw|traceback|unreachable|unavailable|not responding|keeps (?:restarting|crashing|failing)|hangs|hung|(?:is|are|am|got|gets|being) stuck',
    "(?:does not|doesn't|do not|will not|won't|did not|didn't) (?:start|respond|connect|come up|answer|compile|build)",
    "(?:cannot|can't|could not|couldn't|unable to) (?:connect|reach|resolve|open|read|write|find|load|start|log in|login|access|allocate|acquire|determine)",
    '(?:https?|status|returns?|returned|got|gets|with|error) (?:an? |code )?[45]\\d\\d',
    'by accident|accidentally|duplicates|data loss|half-\\p{L}+ed|lost \\d+ \\p{L}+|wrong (?:data|table|database|branch|environment)',
    'errors?(?= ?[:(]| (?:code|message|in|on|at|from|while|when|during|after))|(?:an|the same|following|this|with|new) error|errno',
    'schl(?:ägt|agen|ug|ugen) (?:[\\p{L}\\p{N}-]+ ){0,5}fehl|fehlgeschlagen|gescheitert|scheitert|abgebrochen|bricht (?:[\\p{L}\\p{N}-]+ ){0,4}ab|abgestürzt|stürzt (?:[\\p{L}\\p{N}-]+ ){0,3}ab|fehler(?:meldung|code)?|nicht erreichbar|verweigert|zeitüberschreitung|kaputt|defekt|voll ?gelaufen',
    'falló|fallaron|falla|fallan|ha fallado|han fallado|fallando|excepción|no (?:arranca|responde|funciona)|se cayó|rechazad[oa]s?|denegad[oa]s?|sin espacio|falta de (?:espacio|memoria)|error',
    "(?:a|ont|est|sont) (?:échoué|planté)e?s?|échou(?:e|é|ent|ée)s?|en échec|échec|erreurs?|planté|refusée?s?|ne (?:répond|démarre|fonctionne) (?:pas|plus)|plus d'espace|délai dépassé",
    'falhou|falharam|falhando|erro|fallit[oa]|errore|ошибка|не удалось|упал[аои]?',
  ),
  pieces(
    String.raw`(?<![\p{L}\p{N}_])E(?:ACCES|CONN[A-Z]+|NOSPC|NOENT|TIMEDOUT|PERM|XIST|MFILE|PIPE|RESOLVE|ADDRINUSE|HOSTUNREACH|AI_AGAIN|ISDIR|INVAL|BUSY|ROFS|IO|TARGET|NOTEMPTY|NOMEM)\b|[A-Za-z](?:Error|Exception)(?![a-z])|失敗|エラー|落ちた|失败|错误|报错|实패|실패|오류`,
  ),
);
/** What is not left is room: that is trouble, and not work. */
const NO_ROOM =
  /(?<!\p{L})(?:no quedan?|ne reste plus|n'y a plus|não (?:resta|sobra)|non (?:resta|rimane)) (?:\p{L}+ |d'){0,2}(?:espacio|memoria|espace|place|mémoire|espaço|memória|spazio)(?!\p{L})/iu;
/** A process that a database makes wait for another one: nobody can be asked. */
const LOCK_WAIT =
  /(?<!\p{L})(?:waits for|waiting for|blocked by) (?:(?:process|transaction|session|thread|pid) \d+|\w+lock(?!\p{L}))/iu;
/** "Applied on shard 1, it failed on shard 3": the parts of the work that are done, and what failed and must be looked at first. */
const FINISHED_PART = words(`(?:${FINISHED}) (?:on|to|for|in)`);
const FAILED_PART =
  /^(?:(.+?), (?:and |then )?|but )((?:it|they) (?:has |have )?(?:fails?|failed|stopped|crashed|broke|timed out) (?:on|for|at|in) .+)$/iu;
/** Mentions of errors that say that there is none, or that something is provided for. */
const NO_ERROR = new RegExp(
  [
    "(?<![\\p{L}])(?:no|zero|without(?: any)?|0|nothing|none|never|not|n't|any|free of|kein(?:e|en)?|ohne|nicht mehr|nichts|sin|ningún|ninguna|nada|sans|aucune?|sem|senza)(?: (?:more|new|further|longer|other|been|has|have|is|was|a|an|any|of them|ha|hat|ist))*[ -](?:errors?|fail\\p{L}*|exceptions?|crash\\p{L}*|timeouts?|deadlocks?|duplicates|problems?|issues?|data loss|fehler\\p{L}*|fehlgeschlagen|falló|fallado|errore?s?|erreurs?|échecs?|erros?)",
    '(?<![\\p{L}])(?:if|in case|when|should|would|could|may|might|can|must|wenn|falls|si|sobald) (?:[\\p{L}\\p{N}-]+ ){0,4}(?:fails?|error|errors|crash(?:es)?|fehlschlägt|falla|échoue)',
    '(?<![\\p{L}])(?:error|failure|exception|timeout|crash|deadlock) (?:handling|handlers?|messages?|budget|rate|reports?|pages?|detector|tests?|codes? table)',
    '(?<![\\p{L}])fail(?:ed)?[- ]?over|fail[- ]?safe|(?<![\\p{L}])broken down',
    'fehlerfrei|nothing failed|none failed',
  ].join('|'),
  'giu',
);
/** A sentence that begins so is about work, whatever errors it names. */
const ABOUT_WORK =
  /^(?:(?:i|we)(?:'ve| have)? (?:now |just |already |also )*)?(?:fixed|resolved|solved|repaired|handled|closed|refactored|wrote|documented|added|merged|tested|implemented|improved|reviewed|filed|reported|behoben|solucionado|corregido|corrigé|résolu)(?!\p{L})/iu;

const CORRECTS = words(
  'correction|corrected|i was wrong|that was wrong|my mistake|contrary to|not true|sorry|korrektur|berichtigung|corrección|rectificación|correction',
);

/** Somebody else answered or approved. */
const ANSWERED =
  /^(?!you |i |we |it |the hub |hub |that |this |nobody |no one )(?:\p{L}[\p{L}\p{N}.-]* ){1,3}(?:said|says|answered|replied|confirmed|approved|agreed|signed off|hat (?:zugestimmt|bestätigt|geantwortet)|aprobó|confirmó|respondió|a (?:approuvé|confirmé|répondu))(?!\p{L})/iu;
/** Work that undoes other work. */
const UNDONE = words(
  '(?:roll|rolled|rolling) back|revert(?:ed|ing)?|undid|undone|backed out|switched back|zurückgerollt|zurückgesetzt|rückgängig|revertid[oa]|deshech[oa]|annulée?',
);

/** What somebody else said is not a report: the quotation is taken out. */
const QUOTES =
  /(?<!\p{L})(?:you|hub|advice|holdword|it|he|she|they|colleague|docs?|guide|runbook) (?:said|says|told|tells|advised|advises|suggested|suggests|wrote|writes|recommended|recommends|asked)(?!\p{L})|^>|^(?:your|the hub's) (?:advice|step|answer)(?!\p{L})/iu;
const QUOTATION = /"[^"]{0,400}"|“[^“”]{0,400}”|«[^«»]{0,400}»|„[^„“”]{0,400}[“”]/gu;
/** About the advice of the hub, which "that" stands for. */
const DID_NOT_DO_THAT =
  /(?<!\p{L})(?:have not|haven't|did not|didn't|not) (?:yet )?(?:done|do|tried|try|run) (?:that|it|this|so)(?!\p{L})/iu;

/** The notes in one clause: none for most, more than one if it names an error and what is left. */
export function notesOfClause(sentence: string): Note[] {
  if (ordersReader(sentence)) return [];
  const { isDestructive, hasTrouble } = incidentIn(sentence);
  const danger: Note[] = isDestructive
    ? [{ kind: 'risk', text: sentence, isAdded: true, isDanger: true }]
    : [];
  const trouble: Note[] = hasTrouble ? [{ kind: 'error', text: sentence, isAdded: true }] : [];
  if (isQuestion(sentence)) {
    return isAskedOfHub(sentence)
      ? [...danger, ...trouble]
      : [...danger, { kind: 'questions', text: sentence, isAdded: true }];
  }
  const said = (QUOTES.test(sentence) ? sentence.replaceAll(QUOTATION, '') : sentence).replaceAll('’', "'");
  if (said.startsWith('>')) return danger;
  if (isAsking(said) || DID_NOT_DO_THAT.test(said)) return [...danger, ...trouble];
  const note = (kind: Note['kind'], more: Partial<Note> = {}): Note => ({
    kind,
    text: sentence,
    isAdded: true,
    ...more,
  });
  if (isSmallTalk(said)) return [];
  if (isBareOutcome(said)) return [note('done', { isBare: true, resolves: true })];
  if (isBareCompletion(said) && !NOTHING_LEFT(said)) return [note('done', { isBare: true })];
  if (NEXT(said) || NEXT(withoutLeadIn(said))) return [note('next')];
  if (ANSWERED.test(said)) return [note('decisions', { answers: true })];
  if (NOTHING_LEFT(said))
    return [note('remaining', { isNone: true }), ...(saysDone(withoutNothing(said)) ? [note('done')] : [])];
  const isCareful = CAREFUL(said);
  const work = said.replace(NO_ROOM, ' ').replace(LOCK_WAIT, ' ');
  const isWaiting = WAITING.test(work);
  const isOpen =
    isWaiting ||
    (INTENDS.test(work) && !isDestructive) ||
    (STILL_GOING.test(work) && !hasTrouble && !namesError(said)) ||
    (OPEN(work) && !isReassuring(work)) ||
    (isNotYet(work) && !ERROR(work)) ||
    isLater(work) ||
    (namesException(said) && (mayBeDone(said) || RESOLVED(said)));
  const isOver = saysOver(said) && isAsserted(said) && !hasTrouble;
  const isError = !isOver && !isCareful && (hasTrouble || work !== said || namesError(said));
  const [, part = '', failed] = (isError && !isOpen && FAILED_PART.exec(said)) || [];
  const isDone =
    !isOpen && !isCareful && !isError && (isOver || saysDone(said) || saysDone(said.split(',', 1)[0] ?? ''));
  return [
    ...(isCareful ? [] : danger),
    ...(isCareful ? [note('risk', FORBIDS.test(said) && !UNTIL.test(said) ? { takesBack: true } : {})] : []),
    ...(isOpen && !isCareful
      ? [
          note('remaining', {
            ...(isWaiting && { isWaiting: true as const }),
            ...((isNegated(said) || CORRECTS.test(said)) && { takesBack: true as const }),
          }),
        ]
      : []),
    ...(FINISHED_PART.test(part) && !isNegated(part) ? [note('done', { text: part })] : []),
    ...(failed === undefined ? [] : [note('remaining', { text: failed, isWaiting: true })]),
    ...(DECIDED(said) ? [note('decisions')] : []),
    ...(isError ? [note('error')] : []),
    ...(isDone && !DECIDED(said)
      ? [
          note('done', {
            ...(isOver && { resolves: true as const }),
            ...(UNDONE.test(said) && { takesBack: true as const }),
          }),
        ]
      : []),
  ];
}

/** What was undone: `us` in "Scratch that: us was rolled back". */
export function withoutUndoing(said: string): string {
  return withoutLeadIn(said).replace(UNDONE, ' ').replace(CORRECTS, ' ');
}

/** A fragment that names a time to come: "sa and af tomorrow morning". */
function isLater(said: string): boolean {
  return LATER.test(said) && !isStatement(said) && !mayBeDone(said);
}
const LATER =
  /(?<!\p{L})(?:tomorrow|later(?: today)?|next (?:week|month|sprint)|morgen(?: früh)?|mañana|más tarde|demain|plus tard|amanhã|mais tarde|domani|più tardi|завтра|позже)(?: (?:morning|afternoon|evening|night|matin|soir))?[.!]*$|(?:明日|明天)/iu;

function withoutNothing(said: string): string {
  return said.replaceAll(NOTHING, '');
}
const NOTHING = /(?<!\p{L})(?:nothing|nichts|nada|rien|no)(?!\p{L})/giu;

/**
 * Whether a sentence is about something that cannot be undone, of which its reader must be warned; and whether it tells of trouble
 * that is there now, as the hub answers it.
 */
function incidentIn(sentence: string): { isDestructive: boolean; hasTrouble: boolean } {
  const { kind, danger, besides } = readIncident(sentence, []);
  const isAction = kind.isAction === true;
  return {
    isDestructive: isAction || danger !== undefined,
    hasTrouble: besides !== undefined || (kind !== NO_INCIDENT && !isAction),
  };
}

/** Whether a sentence names an error that is there now. */
function namesError(said: string): boolean {
  return !ABOUT_WORK.test(said) && !isPast(said) && ERROR(said.replaceAll(NO_ERROR, ' '));
}
