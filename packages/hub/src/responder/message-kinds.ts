import { isSettled } from '../incidents/is-asserted.ts';
import { mentionsIncident } from '../incidents/read-incident.ts';
import { statementsOf } from '../incidents/statements.ts';
import { foreignOutcome } from './languages.ts';
import { doneBySender } from './read-deeds.ts';

const STATE =
  /^(?:(?:hi|hello|please|so|ok|okay|can you|could you)\b[,.]? ?)*(?:what(?:'s| is) (?:the (?:current )?(?:state|status)|open|pending|left|next)\b|what(?:'s| is) the next step\b|what (?:now|next)\b|where (?:are we|do we stand|do things stand|does this stand)\b|(?:give me |show (?:me )?)?(?:a |the )?(?:summary|recap|status)\??$|summari[sz]e\b|what should the next agent\b)/i;
const LONGEST_QUESTION = 200;

/** Whether a message asks what stands and what is open, and reports nothing itself. */
export function asksForState(text: string): boolean {
  return STATE.test(text.slice(0, LONGEST_QUESTION).trim());
}

const PROGRESS =
  /^\W*(?:done|remaining|next|todo|completed|finished|status|progress|decisions?|decided|update|fyi|notes?|risks?|daily check-?in|check-?in|checking in|merged|deployed|released|started|working on|closed|wrote|refactored|reviewed|renamed|added|updated|fixed|resolved|moved|migrated|rebuilt|created|documented|tested|found|measured|checked|identified|confirmed|waiting for)\b|\b(?:is|are|was|were|has been|have been|been) (?:now |already |all )?(?:merged|deployed|done|finished|completed?|released|shipped|uploaded|reviewed|green|live|passing|approved|closed|started|running|migrated|written|ready|empty|fixed|updated|tested|installed|sent|published|gone|rotated|resolved)\b|^(?:i|we)(?:'ve| have|'m| am|'re| are)? (?:just |now |already )?(?:merged|deployed|finished|completed|released|shipped|uploaded|reviewed|started|migrated|wrote|written|added|removed|renamed|updated|fixed|tested|sent|published|created|configured|installed|continue|continuing|working|proceed|rebuilt|moved|copied|rotated|refactored|documented)|\b(?:pass(?:ed|es|ing)?|no (?:new |more )?(?:errors|failures|problems|issues)|nothing (?:has )?failed|without errors|all good|on track|\d+ of \d+|rows|items|records)\b/i;

const FOREIGN =
  /\b(?:ist|sind|wurden?) (?:\S+ )?(?:fertig|erledigt|abgeschlossen|migriert|ausgeliefert|getestet)\b|\bhabe \S.{0,80} (?:migriert|erledigt|abgeschlossen|getestet|eingespielt|aktualisiert)\b|\bfehl(?:t|en) noch\b|\b(?:he|hemos) (?:terminado|completado|migrado|actualizado)\b|^falta\b|\b(?:ai|avons) (?:terminé|fini|migré|mis à jour)|\breste à\b|\b(?:terminei|concluí|migrei)|完了しました|終わりました|残っています|已经?完成|完成了|还剩|(?:готово|завершен|осталось)/i;

/** Whether a message without trouble reports progress: what was done, where things stand. */
export function isProgress(text: string): boolean {
  if (text.trim().endsWith('?')) return false;
  const isReported = statementsOf(text).some(
    ({ text: clause, about }) =>
      (about !== 'now' && !/[:：]$/.test(clause)) ||
      PROGRESS.test(clause.replace(LEAD, '')) ||
      FOREIGN.test(clause) ||
      isSettled(clause) ||
      REMAINS.test(clause) ||
      doneBySender([clause]) !== undefined ||
      // Trouble would have been answered: this says that there is none.
      mentionsIncident(clause),
  );
  return isReported || foreignOutcome(text) !== undefined;
}

const LEAD =
  /^(?:(?:hi|hello|thanks|thank you|meanwhile|also|so|then|and|ok|okay|today|finally)\b[,.]? ?){1,3}/i;

const REMAINS =
  /\bstill (?:need|needs|have|has|to|missing|open|pending)\b|\b(?:is|are) (?:still )?(?:left|missing|outstanding|pending|not (?:yet )?(?:done|finished))\b|\bonly thing left\b|\b(?:have|has|need|needs) to\b|\bnot (?:yet )?(?:done|finished|completed|started)\b|\b(?:next|then),? (?:i|we)(?:'ll| will| would)\b|\bnoch offen\b|\bfehlt noch\b|\bfehlen noch\b|\bfalta\b|\breste à\b/i;
const NOTHING_REMAINS =
  /^(?:none|nothing|no|n\/a|-|nichts|nada|rien|なし|无)$|\bnothing\b|\bno(?:thing)? (?:else|more)\b/i;

/** Whether a message names work that is left. */
export function namesWork(text: string): boolean {
  return statementsOf(text).some(
    ({ text: clause, about }) =>
      !NOTHING_REMAINS.test(clause) &&
      !/[:：]$/.test(clause) &&
      (about === 'planned' || REMAINS.test(clause)),
  );
}
