import type { Outcome } from '../incidents/advice-memory.ts';

/** The fixed sentences for a message in a language other than English. Steps are in English, and so is every answer with one. */
export interface Language {
  readonly name: string;
  /** For a report that names no trouble. */
  readonly recorded: string;
  readonly notFound: string;
  readonly ask: string;
}

interface KnownLanguage extends Language {
  /** Its script, or words that are frequent in it and not in English. */
  readonly words: RegExp;
  /** How many different words are needed. */
  readonly least: number;
  readonly helped: RegExp;
  readonly failed: RegExp;
}

const LANGUAGES: readonly KnownLanguage[] = [
  {
    name: 'German',
    words:
      /(?<!\p{L})(?:der|die|das|ist|nicht|und|ich|wir|ein|eine|mit|auf|für|es|hat|haben|habe|sind|wird|werden|wurde|kein|keine|bitte|jetzt|noch|läuft|beim|bei|seit|dem|den|zu|zum|von|vom|soll|sollen|aber|oder|alle|nur|wie|warum|fertig|fehlt|fehlen|offen|schritt|erledigt|nächster|risiko|im|am|bis|nach|vor)(?!\p{L})/giu,
    least: 2,
    helped:
      /\b(?:hat geholfen|hat funktioniert|(?:funktioniert|läuft|geht) (?:alles |es )?(?:jetzt|wieder)|(?:jetzt|nun) (?:läuft|funktioniert|geht)|ist behoben|problem gelöst)/i,
    failed:
      /\b(?:nicht geholfen|geht (?:immer noch |noch immer )?nicht|funktioniert (?:immer noch |noch immer |noch )?nicht|immer noch)/i,
    recorded: 'Der Bericht ist gespeichert.',
    notFound:
      'Die Nachricht ist gespeichert. Ich habe darin kein Problem erkannt, zu dem ich einen Schritt kenne.',
    ask: 'Bitte senden Sie die genaue Fehlermeldung.',
  },
  {
    name: 'Spanish',
    words:
      /(?<!\p{L})(?:el|los|las|un|una|está|esta|pero|con|por|para|hay|muy|ahora|nos|estamos|tengo|tenemos|servidor|del|se|es|la|y|que|de|en|no|he|ha|hemos|al|lo|voy|falta|falló|terminado|hecho|pendiente|riesgo|siguiente|paso|datos|debo|puedo)(?!\p{L})/giu,
    least: 3,
    helped:
      /\b(?:ha funcionado|ya funciona|(?:todo|ahora) funciona|funciona (?:de nuevo|otra vez|ahora)|funcionó|ha ayudado|resuelto|solucionado)/i,
    failed:
      /\b(?:no (?:ha )?(?:funciona|funcionado|funcionó|ayudó|ayudado)|sigue (?:fallando|igual)|todavía)/i,
    recorded: 'El informe está guardado.',
    notFound: 'El mensaje está guardado. No he reconocido un problema para el que conozca un paso.',
    ask: 'Por favor, envíe el texto exacto del error.',
  },
  {
    name: 'Portuguese',
    words:
      /(?<!\p{L})(?:não|um|uma|está|estamos|com|mas|para|muito|agora|você|nós|tenho|temos|servidor|do|da|dos|das|os|em|ao|foi|são|é|o|e|de|que|no|na|vou|falta|falhou|feito|pendente|risco|próximo|passo|dados)(?!\p{L})/giu,
    least: 3,
    helped: /\b(?:funcionou|já funciona|ajudou|resolvido)/i,
    failed: /\b(?:não (?:funcionou|funciona|ajudou)|continua (?:falhando|igual)|ainda)/i,
    recorded: 'O relatório está guardado.',
    notFound: 'A mensagem está guardada. Não reconheci um problema para o qual eu conheça um passo.',
    ask: 'Por favor, envie o texto exato do erro.',
  },
  {
    name: 'French',
    words:
      /(?<!\p{L})(?:le|les|des|un|une|est|pas|nous|je|avec|pour|dans|sur|mais|ça|cela|depuis|sont|du|au|plus|la|et|de|que|il|ne|en|vais|ai|a|reste|faire|terminé|prochaine|étape|risque|échoué|à)(?!\p{L})/giu,
    least: 3,
    helped:
      /(?:ça|cela|tout) (?:remarche|marche|a marché|a fonctionné|fonctionne|a aidé)|\b(?:résolu|réglé)/i,
    failed: /(?:n'a pas|ne marche (?:toujours )?pas|ne fonctionne (?:toujours )?pas|toujours)/i,
    recorded: 'Le rapport est enregistré.',
    notFound:
      'Le message est enregistré. Je n’y ai pas reconnu de problème pour lequel je connais une étape.',
    ask: 'Merci d’envoyer le texte exact de l’erreur.',
  },
  {
    name: 'Japanese',
    words: /[\u3041-\u30fa]/gu,
    least: 2,
    helped: /(?:解決しました|直りました|うまくいきました|動きました)/,
    failed: /(?:解決しません|直りません|うまくいきません|動きません|まだ)/,
    recorded: '報告を保存しました。',
    notFound: 'メッセージは保存しました。対処手順のある問題は見つかりませんでした。',
    ask: '正確なエラーメッセージを送ってください。',
  },
  {
    name: 'Chinese',
    words: /\p{Script=Han}/gu,
    least: 2,
    helped: /(?:解决了|已解决|好了|有效|恢复了)/,
    failed: /(?:没有(?:用|解决|帮助|效果)|没用|无效|还是不|仍然|还没)/,
    recorded: '报告已保存。',
    notFound: '消息已保存。我没有识别出已知处理步骤的问题。',
    ask: '请发送完整的错误信息。',
  },
  {
    name: 'Russian',
    words: /\p{Script=Cyrillic}/gu,
    least: 2,
    helped: /(?:помогло|заработало|решено|исправлено)/i,
    failed: /(?:не (?:помогло|работает|заработало)|всё ещё|все еще|по-прежнему)/i,
    recorded: 'Отчёт сохранён.',
    notFound: 'Сообщение сохранено. Я не узнал в нём проблему, для которой знаю следующий шаг.',
    ask: 'Пришлите, пожалуйста, точный текст ошибки.',
  },
];

/** What of a message is looked at. */
const LONGEST_READ = 2_000;
/** Frequent in English: a message with more of them than of another language's words is English. */
const ENGLISH =
  /\b(?:the|is|are|and|to|of|it|we|that|this|not|with|for|now|every|you|but|from|have|has|will|after|still|been|my|our|i'm|which|be|by|an)\b/gi;

/** The language of a message, if it is a known one other than English. */
export function languageOf(text: string): Language | undefined {
  return knownLanguageOf(text);
}

function knownLanguageOf(text: string): KnownLanguage | undefined {
  const read = text.slice(0, LONGEST_READ);
  const english = countOf(read, ENGLISH);
  const counted = LANGUAGES.map((language) => ({ language, count: countOf(read, language.words) })).filter(
    // A mixed message is answered in English.
    ({ language: { least }, count }) => count >= least && count > 2 * english,
  );
  // Japanese is written with Chinese characters as well, so its own script decides.
  const japanese = counted.find(({ language: { name } }) => name === 'Japanese');
  if (japanese !== undefined) return japanese.language;
  const [first, second] = counted.toSorted((one, other) => other.count - one.count);
  return first?.count === second?.count ? undefined : first?.language;
}

/** Counts different words, so that one that is repeated or a name does not decide. */
function countOf(text: string, words: RegExp): number {
  return new Set((text.match(words) ?? []).map((word) => word.toLowerCase())).size;
}

/** Says that what was done helped; the rest says only that the trouble is over. */
const HELPED =
  /geholfen|hat funktioniert|ha ayudado|ayudó|ha funcionado|funcionó|a aidé|a marché|a fonctionné|ajudou|funcionou|помогло|有效|有帮助|うまくいきました/i;

/** What a message in another language reports. */
export function foreignOutcome(text: string): Outcome | undefined {
  const language = knownLanguageOf(text);
  if (language === undefined) return undefined;
  const read = text.slice(0, LONGEST_READ);
  if (language.failed.test(read)) return 'did_not_help';
  if (!language.helped.test(read)) return undefined;
  return HELPED.test(read) ? 'helped' : 'ended';
}
