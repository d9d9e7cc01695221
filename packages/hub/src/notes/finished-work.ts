import { isPast } from '../incidents/statements.ts';
import { anyOf, pieces, words } from './note-words.ts';
import { isAsserted, isNegated, withoutLeadIn } from './speech-acts.ts';

/* How people say that work is finished, or that trouble is over. */

/** Verbs of finished work, as participles. */
export const FINISHED =
  'done|finished|completed|complete|merged|deployed|migrated|uploaded|downloaded|ported|converted|tested|fixed|rotated|rebuilt|restarted|upgraded|updated|installed|configured|created|removed|deleted|renamed|moved|copied|restored|backed up|exported|imported|replayed|drained|scaled|patched|released|published|shipped|sent|signed|verified|validated|checked|reviewed|cleaned(?: up)?|closed|archived|written|built|backfilled|reindexed|rolled back|rolled out|switched|reverted|rewritten|applied|documented|processed|synced|synchronized|revoked|renewed|notified|refactored|repaired|reconciled|loaded|indexed|pinned|tagged|transferred|reset|cleared|disabled|enabled|added|in place|live|ready(?! (?:for|to) )';
/** Any verb as a participle, but none that tells of trouble, plans or states. */
const PARTICIPLE =
  '(?!(?:un|mis|dis|over)|(?:need|requir|expect|suppos|plann|schedul|queu|paus|skipp|limit|confus|relat|bas|locat|design|interest|concern|worri|deprecat|call|nam|us|charg|hack|leak|compromis|attack|fail|reject|block|corrupt|duplicat|lock|expir|delay|affect|damag|throttl|exceed|wast|abandon|abort|cancel|refus|deni|terminat|kill|interrupt|suspend|stall|hang|trapp|starv|dropp|truncat|ask|advis|warn|inform|suggest|assign|host|stor|own|manag|partition|caus|expos|ignor|forc|hit|hop|want|intend|trigger|lost|surpris|notic|observ|report|detect|found|seen|said|told|tri|assum|believ|claim|postpon|revis|reopen|wedg|tim|fill|promis|flood|stopp|forgott)\\p{L}*)\\p{L}{3,}(?:ed|wn|tten|ilt)';
export const RESOLVED = anyOf(
  words(
    '(?:it|that|this|everything|which) (?:has |have |now |finally |all )*(?:worked|works|helped|is (?:fine|ok|okay|green|good|fixed|stable|healthy|solved|resolved|back)(?: now| again)?)',
    '(?:works|working|runs|running|succeeds?|responds?|passes|pass|starts?|connects?) (?:\\p{L}+ )?(?:now|again|fine)',
    '(?:is|are|was|were|been|got) (?:now |all |finally |completely |long |already )*(?:fixed|solved|resolved|gone|repaired|back|up again|healthy again|stable again|green again|green now|green|recovered)',
    '(?:errors?|failures?|timeouts?|crashes|[45]\\d\\ds?|problems?|alerts?|it) (?:have |has )?(?:stopped|disappeared|went away|vanished|cleared)',
    'no (?:more |further |new )?(?:restarts?|errors?|failures?|timeouts?|crashes|[45]\\d\\ds?)(?: since| for| any ?more)',
    'no longer (?:fails?|happens?|occurs?|crash(?:es)?|times out)|back to normal|retry (?:worked|succeeded)|(?:second|third|next) (?:try|attempt|run) (?:worked|succeeded|passed)',
    '(?:ist|sind|wurde|wurden) (?:[\\p{L}\\p{N}-]+ ){0,2}(?:behoben|gelöst|repariert)|(?:läuft|laufen|funktioniert|geht) (?:jetzt |nun )?wieder|hat (?:funktioniert|geklappt|geholfen)',
    '(?:está|quedó|fue) (?:resuelt[oa]|solucionad[oa]|arreglad[oa]|corregid[oa])|ya funciona|funciona de nuevo|ha funcionado|funcionó',
    '(?:est|a été) (?:résolue?|corrigée?|réparée?)|fonctionne (?:à nouveau|de nouveau|maintenant)|ça marche',
  ),
  /^(?:fixed|resolved|solved|behoben|gelöst|resuelto|solucionado|résolu|corrigé)(?!\p{L})/iu,
);

/** Verbs in the past that begin a statement of what was done; and those that do not. */
const DID =
  /^(?:(?:so|ok|okay|and|then|also|yes|hi|hello|hey|finally|successfully|meanwhile|today|this morning)[, ]+)*(?:(?:i|we)(?:'ve| have| had)? (?:already |just |now |also |successfully |then |finally )*|(?:already |just |successfully ))?(?:(?:re|un|de)?(?!need|fail|expect|block|crash|want|tri|start|plan|notic|seem|bas|decid|agre|pause|wait|stuck|suppos|relat|caus|unexpect|assum|believ|hop|experienc|observ|learn|confus|limit|shar|mix|speed|feed|indeed|hundr|embed|exceed|proceed|succeed|need|lock|delay|abort|interrupt|ask|call|happen|look|work)\p{L}{2,}ed|wrote|rewrote|built|rebuilt|ran|reran|sent|set up|set|made|took|cut|put|found|got(?! it(?!\p{L}))|brought|shut down|did|drew|sped up|rolled)(?!\p{L}|-)/iu;
const DONE = anyOf(
  DID,
  words(
    `(?:is|are|has been|have been|was|were|been|got) (?:now |already |all |also |both |completely |fully |successfully |finally )*(?:${FINISHED})`,
    `(?:${FINISHED}) for`,
    "(?:has|have|had|'s|'ve) (?:now |just |already |all |also |both |finally )*been (?:now |just |already |all |also |successfully )*" +
      PARTICIPLE,
    '(?<!(?<!\\p{L})(?:i|we|you|he|she) )(?:was|were) (?:now |just |already |all |also |both |successfully |finally )*' +
      PARTICIPLE,
    '(?:is|are) (?:now |all |already |both |fully |completely |successfully )+' + PARTICIPLE,
    '(?:wrapped up|knocked out|took care of|taken care of|squared away|all set|good to go|(?:is|are) through(?= ?(?:[,.;!]|$))|(?:is|are) (?:now )?sorted(?: out)?|managed to (?!\\p{L}+ (?:no|only half)))',
  ),
  // A part of the work that is counted: "chapters 4 to 7 are translated".
  new RegExp(`\\d[^,;:]{0,60} (?:is|are) ${PARTICIPLE}(?!\\p{L})`, 'iu'),
  new RegExp(`^(?:all )?done with |^[^,;:]{1,60}'s (?:now |all |already )?(?:${FINISHED})(?!\\p{L})`, 'iu'),
  /^(?:ya |hoy |también |eu |já )*(?!intent|tent|empec|comenc|comec|inici|pens|cre[íi]|esper|trat|fall|quer|quis|qu[eé]|porqu|caf|podr|tendr|ach)\p{L}{2,}(?<![aei]r)(?:é|í|(?<!r)ei)(?!\p{L})/iu,
  new RegExp(
    `^[^,;:]{1,60} (?:${FINISHED})(?: (?:successfully|too|now|already|as well|today|at [\\d:]+(?: ?[ap]m)?|without (?:errors?|problems?|issues?)))*[.!]?$`,
    'iu',
  ),
  words(
    '(?:ist|sind|wurde|wurden|war) (?:[\\p{L}\\p{N}-]+ ){0,4}(?:fertig|erledigt|abgeschlossen|gemacht|durch|migriert|gesichert|\\p{L}+iert|umgezogen|ge[\\p{L}]{2,}(?:t|en)|aktualisiert|eingespielt|hochgeladen|gelöscht)',
    '(?:ich habe|wir haben|habe|haben) (?:[^,;]{1,80} )?(?:ge[\\p{L}]{2,}(?:t|en)|\\p{L}+iert|erledigt|abgeschlossen|fertiggestellt|\\p{L}+(?:ge)\\p{L}+(?:t|en))',
    '(?:he|hemos|ha sido|han sido|ya) (?:ya )?\\p{L}+(?:ado|ido|echo|uesto|ito)s?(?!\\p{L})|(?:está|están|quedó|quedaron) (?:ya )?(?:list[oa]s?|hech[oa]s?|terminad[oa]s?|completad[oa]s?|migrad[oa]s?)|^(?:terminé|completé|migré|copié|actualicé|reinicié|corregí|subí|desplegué|creé|borré)',
    "(?:j'ai|nous avons|on a) (?:déjà |bien )?\\p{L}+(?:é|i|is|it|u)e?s?(?!\\p{L})|(?:est|sont|a été|ont été) (?:déjà |bien |maintenant )?(?:à jour|terminée?s?|finie?s?|faite?s?|achevée?s?|migrée?s?|copiée?s?|\\p{L}+ée?s?)",
    '(?:foi|foram|está|estão) (?:\\p{L}+ad[oa]s?|\\p{L}+id[oa]s?|feit[oa]s?)|(?:terminei|concluí|migrei|fiz)',
    '(?:ho|abbiamo) \\p{L}+(?:ato|ito|uto|tto)|(?:è|sono) (?:stat[oaie] )?(?:\\p{L}+at[oaie]|finit[oaie]|fatt[oaie])',
    '(?:bin|sind) (?:[\\p{L}\\p{N}-]+ ){0,4}fertig|(?:terminó|acabó|finalizó|completó|concluyó|terminaron|acabaron|terminou|acabou|concluiu|terminaram)',
    'сделал[аи]?|готово|готова|готовы|готов|завершил[аи]?|закончил[аи]?|завершен[аоы]?|завершён[аоы]?',
  ),
  pieces('完了しました|終わりました|済みです|しました。?$|完成了|已经?完成|做完|搞定|완료했|완료되|했습니다'),
);
/** What happens again and again, or by accident, is not finished work. */
const UNWANTED = words(
  '(?:every|each|per) (?:second|minute|hour|day|night|morning|week|month|time|few)|always|usually|often|constantly|repeatedly|by mistake|by accident|accidentally|unintentionally|wrongly|aus versehen|versehentlich|ständig|por error|por accidente|cada (?:minuto|hora|día)|par erreur|por engano|per errore|по ошибке|случайно',
);

/** Whether a clause names finished work at all. */
export function mayBeDone(clause: string): boolean {
  return DONE(clause) || DONE(withoutLeadIn(clause));
}

/** Whether a statement says that something is done; a negated one does not. */
export function saysDone(said: string): boolean {
  return mayBeDone(said) && !UNWANTED.test(said) && isAsserted(said) && !isNegated(said) && !isPast(said);
}

/** Whether a sentence says that trouble is over, for good and not only for a while. */
export function saysOver(said: string): boolean {
  return RESOLVED(said) && !STILL.test(said) && !isPast(said) && !FOR_A_WHILE.test(said);
}
const FOR_A_WHILE =
  /(?<!\p{L})(?:worked|works|helped|ran) (?:\p{L}+ )?(?:until|before|once|for (?:an?|one|two|three|four|five|ten|some|several|a few|\d+) \p{L}+)(?!\p{L})/iu;

const STILL = words(
  "still|not|n't|never|immer noch|noch immer|nicht|sigue|todavía|no ha|toujours|pas|again and again|but",
);
