import { anyOf, pieces, words } from './note-words.ts';

/*
 * What a sentence is, apart from what it is about: a statement, a question, a belief, an order, praise or a greeting; and whether it
 * affirms or denies. These are closed classes of words, so they can be listed for each language.
 */

/** Words that deny. */
const NEGATION = anyOf(
  words(
    "not|n't|never|no one|nobody|nothing|none|neither|nor|hardly|barely|scarcely|cannot",
    'nicht|nichts|kein|keine|keinen|keiner|keinem|keines|nie|niemals|niemand|weder|kaum',
    'no|nunca|ningún|ninguna|ninguno|nada|nadie|tampoco|ni|apenas',
    "ne|n'\\p{L}+|pas|jamais|aucune?|rien|personne|guère",
    'não|nenhuma?|ninguém|nem|non|niente|nulla|nessun[oa]?|né|mai|не|нет|ни|ничего|никто|никогда',
  ),
  /\p{L}n't(?!\p{L})/iu,
  pieces('まだ|ません|ていない|てない|没有?|未|尚|不|않|안 |못 '),
);
/** What is denied of errors says that all is well. */
const NO_TROUBLE =
  /(?<!\p{L})(?:no|zero|0|without(?: any)?|kein(?:e|en)?|ohne|sin|sans|sem|senza|без) (?:\p{L}+ )?(?:errors?|failures?|problems?|issues?|warnings?|timeouts?|retries|downtime|data loss|fehler\p{L}*|probleme?|errore?s|fallos|problemas|erreurs?|problèmes?|erros?|errori|problemi|ошибок|проблем)(?!\p{L})/giu;

/** Whether a statement denies something, other than errors. */
export function isNegated(said: string): boolean {
  return NEGATION(said.replaceAll(NO_TROUBLE, ' '));
}

/** Work that has not happened yet: a word that denies, near a word for `yet`. */
const NOT_YET = anyOf(
  words(
    "(?:not|never|nothing|none|\\p{L}+n't) (?:[^\\s,;.]+ ){0,8}yet",
    'noch (?:[^\\s,;.]+ ){0,3}(?:nicht|nichts|kein|keine|keinen|nie)',
    '(?:todavía|aún|aun) (?:[^\\s,;.]+ ){0,4}(?:no|nada|ninguna?)|no (?:[^\\s,;.]+ ){0,6}(?:todavía|aún)',
    'pas (?:[^\\s,;.]+ )?encore|toujours pas',
    'ainda (?:[^\\s,;.]+ ){0,3}(?:não|nem)|não (?:[^\\s,;.]+ ){0,5}ainda|nem (?:comecei|começamos|toquei|cheguei|mexi)',
    '(?:non|né) (?:[^\\s,;.]+ ){0,4}ancora|ancora (?:[^\\s,;.]+ ){0,3}non',
    '(?:ещё|еще|пока)(?: [^\\s,;.]+){0,3} не|не (?:[^\\s,;.]+ ){0,3}(?:ещё|еще|пока)',
  ),
);
/** Nobody can have done yet what nobody knows. */
const NOT_KNOWN_YET =
  /(?<!\p{L})(?:know|seen?|hear[d]?|understood|understand|sure|clear|decided|weiß|wissen|sé|sabemos|sais|savons)(?!\p{L})/iu;

/** Whether a statement says that something has not been done yet. */
export function isNotYet(said: string): boolean {
  return NOT_YET(said) && !NOT_KNOWN_YET.test(said);
}

/** A statement about all but some of it, or about a part. */
const EXCEPT = words(
  'except(?: for)?|excepting|apart from|aside from|other than|all but|everything but|minus|außer|bis auf|ausgenommen|menos|excepto|salvo|sauf|excepté|hormis|exceto|tranne|eccetto|кроме|за исключением',
);
const PART = anyOf(
  words(
    'half|some(?: of)?|part(?: of)?|partly|partially|only|just|mostly|most(?: of)?|so far|about|hälfte|teil|teilweise|einige|nur|bisher|die meisten|mitad|parte|parcialmente|solo|sólo|algun[oa]s|la mayoría|moitié|partie|partiellement|seulement|certaine?s|la plupart|metade|apenas|só|alguns|algumas|a maioria|metà|soltanto|alcun[ie]|половин[аыу]|часть|частично|только|некоторые',
    '\\d+ ?%|\\d+ ?(?:of|out of|/|von|de|sur|di|из) ?\\d+',
  ),
  pieces('一部|半分|だけ|一半|部分|只'),
);

export function namesException(said: string): boolean {
  return EXCEPT.test(said);
}

/** Whether a statement is about a part of something: it does not finish what it names. */
export function namesPart(said: string): boolean {
  return EXCEPT.test(said) || PART(said);
}

/** "I have not deleted anything" reassures, unless it says `yet`. */
const DENIES_ALL = words('any|anything|anybody|anyone|nothing|nichts|niemand|nada|rien|niente|nulla|ничего');

export function isReassuring(said: string): boolean {
  return isNegated(said) && DENIES_ALL.test(said) && !NOT_YET(said);
}

/** What somebody believes, was told, expects or asks for did not happen by being said. */
const NOT_ASSERTED = anyOf(
  words(
    "(?:i|we|they|he|she|everyone|everybody|you)(?:'d| had| have| was| were)?(?: just| really| still| all| first)? (?:thought|think|believed?|assumed?|assuming|expected?|hoped?|hoping|figured|suppose|supposed|guess|guessed|presumed?|suspect|heard|sure|certain|told)",
    'not (?:quite |really |entirely )?(?:sure|certain)|unsure|uncertain|as far as (?:i|we) (?:know|can (?:tell|see))|afaik|iirc|in theory|soweit (?:ich|wir)|maybe|perhaps|probably|possibly|presumably|apparently|supposedly|allegedly|reportedly|according to|seems?|seemed|looks? (?:like|as if)|looked (?:like|as if)|appears?|appeared|might|may (?:be|have)|should|ought to|supposed to|claims?|claimed',
    '(?:ich|wir) (?:dachten?|denken?|glaubten?|glauben?|vermuten?|nehmen? an|hoffen?|meinten?)|dachte|vielleicht|wahrscheinlich|vermutlich|anscheinend|angeblich|scheinbar|müsste|sollte|wäre|wären|hätten?',
    'creo|creía|creíamos|pensaba|pensé|pensábamos|supongo|suponía|espero|quizás?|tal vez|probablemente|parece|debería',
    'je (?:pensais|crois|croyais|suppose|pense|espère)|on (?:croyait|pensait)|nous (?:pensions|croyions)|peut-être|probablement|semble|devrait|serait',
    'acho|achei|achava|pensei|pensava|suponho|espero que|talvez|provavelmente|deveria|credo|credevo|credevamo|pensavo|suppongo|forse|probabilmente|sembra|dovrebbe',
    'думал[аи]?|думаю|кажется|надеюсь|наверное|возможно|вроде|должно быть',
  ),
  pieces('と思|かもしれ|はずで|たぶん|おそらく|以为|可能|也许|大概|应该'),
  /^(?:please )?(?:make sure|ensure|verify|check|confirm|see|let's|let us) (?:that |whether |if )?/iu,
  /^(?!i |we |you )\p{L}[\p{L}.-]* (?:says?|said|told|thinks?|believes?|claims?|mentioned|sagt|sagte|meint|meinte|dice|dijo|dit|a dit|disse|сказал[аи]?)(?!\p{L})/iu,
);

/** A condition, a time to come, or a wish. */
const CONDITION = anyOf(
  /^(?:si|se (?:o|a|os|as|il|la|i|le|tudo|tutto)) /iu,
  words(
    "if|unless|once|until|till|as soon as|whether|by the time|would|could|will|won't|'ll|gonna|going to|wenn|falls|sobald|ob|werden|cuando|en cuanto|hasta que|quand|dès que|lorsque|jusqu'à|quando|assim que|appena|finché|если|когда|пока|как только",
  ),
);

/** Whether a sentence states that something is so, rather than supposing, reporting hearsay or planning it. */
export function isAsserted(said: string): boolean {
  return !NOT_ASSERTED(said) && !CONDITION(said);
}

/** A clause that denies and leaves out what: "the certificate is not", "turns out it hadn't", "las cuotas todavía no". */
const ELLIPSES: readonly RegExp[] = [
  /(?<!\p{L})(?:is|are|was|were|has|have|had|does|do|did|will|can|could)(?:n't| not)(?: been| yet| though| really| either| so far)*[.!]*$/iu,
  /(?<!\p{L})not yet[.!]*$/iu,
  // After a noun or an auxiliary: a clause that ends with a verb and "nicht" is whole.
  /(?:^|(?<!\p{L})(?:ist|war|sind|waren|hat|haben|hatte|er|sie|es|das|\p{Lu}[\p{L}\p{N}_-]{0,60}|[\p{L}_-]{0,60}\d{1,9})) (?:aber |leider |dann |jedoch )*(?:noch )?nicht[.!]*$/u,
  /(?<!(?:said|says?|is|an?|dijo|dice|disse|que) )(?<!\p{L})(?:no|não|tampoco|neanche|нет)[.!]*$/iu,
  /^(?!.*(?<!\p{L})(?:ne |n')).*(?<!\p{L})pas(?: encore)?[.!]*$/iu,
];
/** What such a clause consists of if it is about what was said before. */
const ABOUT_THAT = words(
  "but|aber|pero|mais|mas|ma|но|and|however|only|turns|turned|out|in|fact|actually|sadly|unfortunately|apparently|leider|doch|it|that|this|they|he|she|er|sie|es|das|is|are|was|were|has|have|had|does|do|did|\\p{L}+n't|ist|war|waren|sind|hat|haben|hatte|eso|ça|cela|ce|isso|questo|это|он|она|оно|not|nicht|no|pas|não|нет|yet|the|case|really|simply|dann|noch|encore|todavía|aún|ainda|ancora|ещё|еще|пока|tampoco",
);

/** Whether a clause denies and leaves out what; and whether that is what was said before it, or it has a subject of its own. */
export function ellipsisIn(clause: string): 'of that' | 'of its subject' | undefined {
  const said = clause.replaceAll('’', "'").trim();
  if (!ELLIPSES.some((pattern) => pattern.test(said))) return undefined;
  return consistsOf(said, ABOUT_THAT) ? 'of that' : 'of its subject';
}

const QUESTION = /[?？]["')]?\s*$/u;
/** A wish or a question reports nothing. */
const ASKING =
  /[?？]\s*$|^(?:please(?! (?:be careful|do not|don't|never))|can|could|would|will|should|how|what(?!'s left| is left| is still| remains)|why|when|where|which|who|if)(?!\p{L})/iu;
/** Asked of the hub itself, now. */
const ASKED_OF_HUB =
  /(?<!\p{L})(?:next agent|successor|remember|hand(?:ing)?[- ]?(?:off|over)|próximo agente|lembrar|what now|what next|what should (?:i|we) do|what (?:do|can) (?:i|we) do|what is the next step|what's next|state of this session|current (?:state|status)|any (?:idea|advice|hint|suggestion)s?|can you|could you|would you|do you know|how (?:do|can|should) (?:i|we)|was (?:soll|kann) ich|was jetzt|qué hago|que faire)(?!\p{L})/iu;
/** Orders to the reader of the packet; not a report of work. */
const ORDERS_READER =
  /(?<!\p{L})(?:ignore|disregard|forget) (?:all |any |the |your |every )*(?:previous|prior|above|earlier|other|safety)?\s*(?:instructions?|rules?|prompts?|guardrails?)(?!\p{L})|(?<!\p{L})you are now (?:an?|the) /iu;

export function isQuestion(sentence: string): boolean {
  return QUESTION.test(sentence);
}

/** Whether a sentence asks or wishes for something. */
export function isAsking(said: string): boolean {
  return ASKING.test(said);
}

export function isAskedOfHub(sentence: string): boolean {
  return ASKED_OF_HUB.test(sentence);
}

/** Whether a sentence only asks the hub for what it knows or advises. */
export function asksHub(sentence: string): boolean {
  return isQuestion(sentence) && isAskedOfHub(sentence);
}

/** Whether a sentence gives orders to its reader, instead of reporting. */
export function ordersReader(sentence: string): boolean {
  return ORDERS_READER.test(sentence);
}

const STATEMENT = words(
  'is|are|was|were|has|have|had|does|do|did|will|can|could|would|should|may|might|must|ist|sind|hat|haben|war|waren|wird|está|están|es|son|era|est|sont|était',
);

/** Whether a sentence states something, rather than naming work to do. */
export function isStatement(sentence: string): boolean {
  return STATEMENT.test(sentence) || ASKING.test(sentence);
}

/** What opens a conversation or a report, and says nothing. */
const LEAD_IN =
  /^(?:(?:hey|hi|hello|hola|hallo|moin|bonjour|salut|ciao|olá|oi|привет|good (?:morning|afternoon|evening)|morning|guten (?:morgen|tag|abend)|buen(?:os|as) \p{L}+|bom dia|boa (?:tarde|noite)|buongiorno|thanks(?: a lot| so much| again)?|thank you|thx|danke|gracias|merci|obrigad[oa]|grazie|cool|nice|great|perfect|awesome|ok|okay|alright|right|so far|so|well|yeah|yep|yup|yes|sure|and|then|also|anyway|basically|actually|finally|meanwhile|in the meantime|now|today|this (?:morning|afternoon|evening)|tonight|by now|as of now|up to now|until now|just|fyi|btw|by the way|(?:quick |small |short |status )?(?:update|recap)|status|progress|good news|team|folks|everyone|all|there|scratch that|never ?mind|bueno|vale|also gut|bon|alors|então|allora|итак)(?!\p{L})[,:!.–—-]* ?)+/iu;

export function withoutLeadIn(said: string): string {
  return said.replace(LEAD_IN, '');
}

const POLITE =
  "thanks?|you|are|thx|ok|okay|hello|hi|hey|there|everyone|noted|great|good|fine|nice|yes|no|bye|goodbye|cheers|welcome|you are|you're|got|will do|understood|perfect|sure|alright|all right|right|morning|evening|afternoon|day|night|weekend|have|very|much|a lot|so|and|for|the|help|lot|a|your|to|too|me|i|am|is|it|that|this|please|well|cool|see you|test|ping|awesome|amazing|brilliant|excellent|wonderful|lovely|fantastic|super|appreciate|appreciated|really|tip|advice|hint|quick|reply|answer|back|soon|later|how|doing|team|folks|all|oh|ah|wow|haha|lol|yay|danke|vielen|dank|bitte|gracias|muchas|merci|beaucoup|bien|obrigad[oa]|muito|grazie|mille|hallo|guten|morgen|tag|hola|buenos|buenas|días|tardes|bonjour|salut|bom|boa|dia|tarde|noite|ciao|gut|gern|ja|nein|sí|oui|non|sehr|schön|toll|prima|genial|vale|perfecto|parfait|perfeito|ótimo|perfetto|ottimo|спасибо|привет|хорошо|отлично|ок";
const OUTCOME =
  'worked|works|work|working|helped|helps|fixed|solved|resolved|again|now|finally|perfectly|indeed|totally|just|exactly|hat|funktioniert|geklappt|geholfen|jetzt|wieder|das|es|ha|funcionado|funcionó|funciona|ya|eso|ça|a|marché|marche|fonctionné|fonctionne|cela|funcionou|isso|funziona|funzionato|заработало|помогло|всё|это';
const COMPLETION =
  'done|did|finished|completed?|complete|over|ready|now|fertig|erledigt|bin|ich|habe|es|geschafft|ya|está|listo|lista|hecho|terminé|he|terminado|acabé|fini|fait|terminé|voilà|est|pronto|feito|terminei|acabei|já|fatto|finito|ho|готово|сделано|сделал[аи]?|я|完了|終わりました|完了しました|完成了|好了|搞定了?';

const SMALL_TALK = words(POLITE);
const SAYS_OUTCOME = words(OUTCOME, POLITE);
const SAYS_COMPLETION = words(COMPLETION, POLITE);
const LONGEST_TALK = 80;

function consistsOf(text: string, pattern: RegExp): boolean {
  if (text.length > LONGEST_TALK) return false;
  const all = text.match(/[\p{L}\p{N}']+/gu) ?? [];
  return all.every((word) => pattern.test(word));
}

/** Whether a message is only polite: it says nothing about the work. */
export function isSmallTalk(text: string): boolean {
  return consistsOf(text, SMALL_TALK);
}

/** Whether a sentence says that something worked or helped, and not what: "That worked, thanks". */
export function isBareOutcome(said: string): boolean {
  const bare = withoutLeadIn(said);
  return consistsOf(bare, SAYS_OUTCOME) && !isSmallTalk(bare);
}

/** Whether a sentence says that something is done, and not what: "Done.", "Ya terminé". */
export function isBareCompletion(said: string): boolean {
  return consistsOf(said, SAYS_COMPLETION) && !isSmallTalk(said) && !said.includes(':');
}
