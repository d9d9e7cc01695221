/** Where a statement mentions trouble or an action. */
export interface Mention {
  readonly clause: string;
  readonly start: number;
  readonly end: number;
}

/** How much around a mention is looked at. */
const NEAR = 64;

/** Whether a mention says that the trouble is there now: not that it is absent, over, provided for, supposed, or what work was about. */
export function isAssertedTrouble({ clause, start, end }: Mention): boolean {
  const before = clause.slice(Math.max(0, start - NEAR), start);
  const after = clause.slice(end, end + NEAR);
  return !(
    NO_MORE.test(clause) ||
    ABSENT.test(before) ||
    PROVIDED_FOR.test(before) ||
    SUPPOSED.test(before) ||
    OVER.test(after) ||
    IN_ORDER.test(after) ||
    NAMES_A_THING.test(after) ||
    isObjectOfWork(clause, start)
  );
}

const ABSENT =
  /(?:\b(?:no|zero|without|nor|not an?|isn't an?|wasn't an?|free of|nothing|nobody|none|kein|keine|keinen|keiner|ohne|sin|ning[úu]n|ninguna|sem|nenhum|nenhuma|sans|aucune?|pas d[e'u]|nessun|nessuna|senza)|(?<![\d.,])0|\b(?:0|no|none) of (?:the )?\d+)(?: (?:any|more|new|other|single|further|longer|open|active|has|have|had|ever))*(?: \w+)? $|(?:\b(?:not|never|cannot)|n't)(?: (?:yet|once|even|really|ever))*(?: (?:get|got|see|seen|have|had|find|found|hit|show|shown|return|returned|throw|give|report|reported|produce|cause|caused|encounter|observe|observed|been|be))?(?: (?:any|an?|the|more))* $/i;
/** A whole statement that something is not there. */
const NO_MORE =
  /\b(?:not|n't|nothing|none)\b.{0,60}\bany ?(?:more|longer)\b|^nothing (?:is|was) (?!work)|\bnicht mehr auf|\bkeine? .{0,40}\bmehr\b|\bno longer\b|\bya no hay\b|\bil n'y a plus\b/i;
const PROVIDED_FOR =
  /\b(?:fixed|fixes|solved|solves|resolved|resolves|repaired|cured|closed|handl(?:e|es|ed|ing)(?: of| for)?|avoid(?:s|ed|ing)?|prevent(?:s|ed|ing)?|against|in case of|tests? for|support for|retry on|alerts? (?:for|on)|(?:docs?|documentation|runbooks?|playbooks?|guides?|articles?|tickets?|issues?|post-?mortems?|reports?|talks?|pages?|sections?|chapters?|dashboards?|detectors?|monitors?|checks?) (?:about|on|for|of)|ticket|reproduce|simulat(?:e|ed|es|ing))(?: an?| the)?(?: \w+){0,2} $/i;
const SUPPOSED =
  /\b(?:if|whether|in case|unless|whenever|should there be|might|would have|could have|almost|nearly|(?:worry|worried|concerned) about|so that|to avoid|to prevent|simulat\w+|rehears\w+|(?:asked|talked|talks?|questions?|wrote|read|learn\w*|meeting|training) (?:me |us )?about|what happens (?:if|when)|wenn|falls)\b[^.]{0,50}$/i;
const OVER =
  /^(?:'?s)?(?: (?!not\b|and\b|but\b)[\w.#-]+){0,5}(?: (?:is|are|was|were|has|have|had|got|been|be|now|all|also|finally|completely|already|long))* (?:gone|fixed|solved|over|empty|cleared|closed|stopped|disappeared|went away|under control|merged|done|ended|behoben|gelöst|weg|resuelto|solucionado|résolu|resolvido|risolto|resolved(?! to))\b(?! to\b)/i;
/** A figure that is as it should be: "lag is back to 0", "errors: none". */
const IN_ORDER =
  /^s?[:=]?(?: (?:count|rate|is|are|was|were|has|have|been|at|now|back|down|dropped|fell|went|returned|stays?|to|again|still|=)){0,6}[ :=]{1,3}(?:0|zero|none|nil|normal|fine|ok|okay|healthy|stable|low)(?![\w.,%]{0,9}\d|\w)/i;
/** After words that only name a thing: "the retry storm detector". */
const NAMES_A_THING =
  /^(?:s|es|ed|ing)?(?: \w+)? (?:detectors?|detection|handlers?|handling|runbooks?|playbooks?|guides?|docs?|documentation|dashboards?|tickets?|alert rules?|polic(?:y|ies)|metrics?|monitors?|logic|feature|article|section|chapter|settings?|config|configuration|parameters?|option|flag|post-?mortem|retrospective|training|workshop|scenarios?|simulation|simulator|drill|exercise|middleware|module|library|thresholds?|limiters?|test cases?|unit tests?|tests? (?:pass\w*|is|are) ?(?:green|merged|added|written)?)\b/i;

const WORK =
  /^(?:(?:ok|okay|yes|so|then|also|and|finally|today),? ){0,3}(?:(?:i|we|they|he|she)(?:'ve| have| had)? )?(?:just |now |already |also |then ){0,3}(?:wrote|written|documented|refactored|reviewed|merged|closed|renamed|added|implemented|improved|created|drafted|updated|moved|configured|introduced|built|designed|described|summari[sz]ed|prepared|published|shipped|released|covered|finished|completed|fixed|resolved|solved|mended|repaired|patched|mitigated|removed|replaced|tested|discussed|presented|explained|planned|triaged|opened|filed|copied|archived)\b/i;
/** Between the work and trouble that came of it. */
const CAME_OF_IT =
  /\b(?:and (?:it|we|i|they|the|then|got|get|now|this|that)|but|then|now|still|when|after|since|while|which|until)\b/i;

/** "Wrote the runbook for rate limits": the trouble is what the work was about. */
function isObjectOfWork(clause: string, start: number): boolean {
  const work = WORK.exec(clause.slice(0, 2 * NEAR))?.[0].length;
  return work !== undefined && work <= start && !CAME_OF_IT.test(clause.slice(work, start));
}

/** Whether a mention says that the sender does the action or thinks of it: not that it is forbidden, avoided, or was not done. */
export function isAssertedAction({ clause, start, end }: Mention): boolean {
  const before = clause.slice(Math.max(0, start - NEAR), start);
  const rest = clause.slice(start, end + NEAR);
  return !(REFUSED.test(before) || REFUSED_AFTER.test(rest) || isRemedy(clause, start));
}

const REFUSED =
  /(?:\b(?:not|never|no|nobody|cannot|without|instead of|rather than|avoid(?:ed|ing)?|against|stop(?:ped)?|forbid\w*|refus\w+|nicht|kein\w*|niemals|ohne|nunca|jamais|sans|pas|sem|sin|não|non|mai)|n't)(?:[ ,]+(?!should\b|shall\b|can\b)[^\s,]+){0,3}[ ,]*$|(?:不要|不会|没有|没|别|未|不)\s?\S{0,2}$|\bне\s(?:\S+\s)?$/iu;
const REFUSED_AFTER =
  /\bnicht\b|\b(?:is|are|was|were) (?:not|never) (?:needed|allowed|done|run|an option)\b|\b(?:is|would be) (?:forbidden|wrong|not ok)|(?:しない|しません|していない|していません|しなかった|しないで|禁止)/i;
const REMEDY =
  /\b(?:removed|replaced|reverted|undid|got rid of|found|blocked|prevented|rejected|wrote|documented|reviewed|merged|closed|refactored)\b/i;

/** "Replaced verify=False by the CA bundle" makes things safer. */
function isRemedy(clause: string, start: number): boolean {
  const before = clause.slice(Math.max(0, start - NEAR), start);
  return REMEDY.test(before) && !CAME_OF_IT.test(before) && !/\b(?:will|going to|want to)\b/i.test(before);
}

const SETTLED =
  /^(?:(?:yes|ok|okay|and|so|now|then|great|thanks|since then|turns out|meanwhile)\b,? ?){0,4}(?:(?:it|that|this|they|these|both|everything|all|the (?:problem|issue|incident|error|errors|bug|outage|alert|alarm|trouble))(?:'s|'re)?(?: (?:is|are|was|were|has|have|had|been|got|now|long|since|all|already|finally|completely|both|just)){0,4} (?:fixed|solved|resolved|gone|over|ok|okay|fine|good|green|healthy|stable|working|back to normal|recovered|closed|works|worked|passes|runs fine|helped|did the trick)\b(?! until| yesterday| before| once| for| a bit| a little| on| out)|(?:fixed|solved|resolved|repaired|corrected|mended)(?::|$| (?:it|that|this|by|with|now|and)\b))|\band (?:it|all|everything|that)(?: is| are| now)* (?:green|fixed|fine|ok|working|works|stable|healthy|solved)\b|\b(?:i|we)(?:'ve| have)? (?:already |now |since )?(?:fixed|solved|resolved) (?:it|that|this|them)\b|\bback to normal\b|\bnothing (?:is |was )?left\b|\b(?:es|alles|das) (?:läuft|funktioniert|geht) (?:jetzt|wieder)\b|\b(?:läuft|funktioniert|geht) (?:alles|es) (?:jetzt|wieder)|\bjetzt (?:läuft|funktioniert|geht) (?:es|alles)\b|\btout (?:fonctionne|marche)\b|\btodo funciona\b|\btudo funciona\b/i;
const NOT_SETTLED = /\b(?:not|never|hardly|barely)\b|n't\b|\?$/i;

/** Whether a statement says that what was said before it is over. */
export function isSettled(clause: string): boolean {
  return SETTLED.test(clause) && !NOT_SETTLED.test(clause);
}
