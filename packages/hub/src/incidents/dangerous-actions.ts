import type { IncidentKind } from './incident-kind.ts';

/*
 * What an agent is about to do, or asks whether to do, and should not do yet. Languages differ in words only: a verb near an object.
 */

/** Verbs that take away and what must not be taken away, in either order. */
function nearby(verbs: string, objects: string): string {
  const verb = String.raw`(?<![\p{L}\p{N}])(?:${verbs})(?![\p{L}\p{N}])`;
  const object = String.raw`(?<![\p{L}\p{N}])(?:${objects})(?![\p{L}\p{N}])`;
  return String.raw`${verb}[^!?\n]{0,40}?${object}|${object}[^!?\n]{0,40}?${verb}`;
}

const ENGLISH =
  /\brm -(?:rf|fr|r -f)\b|\b(?:delet(?:e|ing)|drop(?:ping)?|wip(?:e|ing)|truncat(?:e|ing)|purg(?:e|ing)|destroy(?:ing)?|eras(?:e|ing)|nuk(?:e|ing)|format(?:ting)?)\b[^!?\n]{0,40}\b(?:prod(?:uction)?|databases?|tables?|buckets?|clusters?|backups?|volumes?|namespaces?|schema|disks?|everything|(?:all )?customer data|all (?:the )?(?:users|data|rows|files|records|customers))\b|\bdelete from \w|\bdrop (?:table|database|schema|user)\b|\bforce.?push|\bpush (?:-f|--force)(?!-with-lease)\b|\buse --force\b|\breset --hard\b|\bterraform destroy\b|\bkubectl delete\b|\bmkfs\b|\bdd if=|\b(?:disable|turn off|stop|delete) (?:the |all )?(?:\w+ )?backups?\b/
    .source;

const DESTRUCTIVE = new RegExp(
  [
    ENGLISH,
    nearby(
      'lösch(?:e|en|t)?|loesch(?:e|en)|entfern(?:e|en)|leer(?:e|en)|vernicht(?:e|en)|überschreib(?:e|en)|formatier(?:e|en)|droppen?',
      String.raw`prod|produktion\p{L}*|\p{L}{0,20}datenbank(?:en)?|tabellen?|backups?|\p{L}{0,20}sicherung(?:en)?|alle daten|\p{L}{1,20}daten|festplatten?|cluster|bucket`,
    ),
    nearby(
      'borrar(?:é|emos)?|borro|borramos|borre|eliminar(?:é|emos)?|elimino|eliminamos|elimine|destruir|vaciar|truncar|formatear',
      'producción|produccion|prod|bases? de datos|tablas?|copias? de seguridad|backups?|todos los datos|datos de (?:los )?clientes|clúster|bucket|disco',
    ),
    nearby(
      'supprim(?:er|e|ons|erai)|effac(?:er|e|erai)|détrui(?:re|s)|vid(?:er|e)|purg(?:er|e)|écras(?:er|e)|formater',
      'production|prod|bases?(?: de données)?|tables?|sauvegardes?|toutes les données|données (?:clients?|des clients)|cluster|bucket|disque',
    ),
    nearby(
      'apag(?:ar|o|amos|arei)|exclu(?:ir|o|ímos|irei)|delet(?:ar|o)|remov(?:er|o)|destruir|formatar',
      'produção|producao|prod|bancos? de dados|bases? de dados|tabelas?|backups?|cópias? de segurança|todos os dados|dados dos clientes',
    ),
    nearby(
      'cancell(?:are|o|iamo|erò)|elimin(?:are|o|iamo|erò)|distrugg(?:ere|o)|svuot(?:are|o)|formattare',
      'produzione|prod|database|basi? di dati|tabell[ae]|backup|tutti i dati|dati dei clienti',
    ),
    nearby(
      'удал(?:ить|яю|им|ю|яем)|стереть|сотру|снести|снесу|очистить|очищу',
      String.raw`прод|продакшен\p{L}*|производственн\p{L}+|баз[уыа](?: данных)?|таблиц\p{L}*|бэкап\p{L}*|резервн\p{L}+ копи\p{L}+|все данные`,
    ),
    '(?:本番|データベース|テーブル|バックアップ|全データ|顧客データ|クラスタ|バケット|DB)[^。！？\\n]{0,20}(?:削除|消去|ドロップ|破棄|初期化|消)(?!し(?:ない|ません|ていない|ていません|なかった|ました|た)|さない|しません)',
    '(?:删除|删掉|删了|清空|销毁|抹掉|格式化)[^。！？\\n]{0,15}(?:生产|数据库|数据表|备份|所有数据|客户数据|集群)',
    '(?:生产|数据库|数据表|备份|所有数据|客户数据|集群)[^。！？不没\\n]{0,15}(?:删除|删掉|清空|销毁|抹掉|格式化)',
  ].join('|'),
  'iu',
);

const WEAKENED =
  /\bchmod (?:-\w+ )?(?:0?777|a\+rwx|ugo\+rwx|o\+w)|\bNODE_TLS_REJECT_UNAUTHORIZED ?= ?['"]?0|\bverify ?= ?false\b|\brejectUnauthorized ?[:=] ?false|\bInsecureSkipVerify\b|--insecure\b|--no-check-certificate\b|\bcurl (?:-\w+ )?-k\b|\bcurl -\w*k\w* |\bGIT_SSL_NO_VERIFY\b|\bsslVerify[ =]false|\bstrict-ssl[ =]false|\bStrictHostKeyChecking[ =]no\b|\b(?:curl|wget|iwr)\b[^\n|]{1,200}\|\s?(?:sudo )?(?:ba|z|da)?sh\b|\b(?:disabl(?:e|ed|ing)|turn(?:ed|ing)? off|switch(?:ed|ing)? off|deactivat(?:e|ed|ing)|skip(?:ped|ping)?|bypass(?:ed|ing)?|shut(?:ting)? (?:down|off))\b(?: \w+){0,2} (?:firewalls?|tls|ssl|certificate|cert|signature|auth|authentication|authori[sz]ation|mfa|2fa|selinux|apparmor|antivirus|csrf|encryption|branch protection|audit log(?:s|ging)?|access control|login check)\b|\b(?:firewalls?|tls verification|authentication|auth|selinux) (?:off|out)\b|\bufw disable\b|\bsetenforce 0|\biptables -F\b|\bsystemctl (?:stop|disable) (?:firewalld|ufw)|\bgrant(?:ed|ing)? all\b|\bgrant(?:ed|ing)?\b[^!?\n]{0,30}\b(?:all (?:rights|privileges|permissions)|superuser|admin(?:istrator)? (?:rights|access)|full access|cluster-admin)|\bAdministratorAccess\b|\bcluster-admin\b|0\.0\.0\.0\/0|\bmake (?:the |our )?(?:\w+ )?bucket public|\ballow (?:all|any) (?:traffic|origins|ips)\b|--privileged\b|\bauth(?:entication)? (?:to )?none\b/
    .source;

const DISABLE =
  'abschalten|ausschalten|abgeschaltet|ausgeschaltet|deaktivier(?:e|en|t)|desactivado|deshabilitado|désactivée?|desativ(?:ado|ei)|disattivato|disabilitato|отключил[аи]?|schalte|desactivar(?:é)?|desactivo|deshabilitar|apagar|désactiv(?:er|e)|coup(?:er|e)|desativ(?:ar|o)|deslig(?:ar|o)|disattiv(?:are|o)|disabilit(?:are|o)|отключ(?:ить|аю|у)|выключ(?:ить|аю|у)';
const PROTECTIONS =
  'firewall|authentifizierung|anmeldung|zertifikatsprüfung|tls-prüfung|verschlüsselung|cortafuegos|autenticación|verificación (?:de )?(?:tls|ssl|certificados?)|pare-feu|l.authentification|authentification|vérification (?:tls|ssl|des certificats)|autenticação|verificação|autenticazione|verifica|фаервол|брандмауэр|аутентификаци[юя]|проверку';

const WEAKENS = new RegExp(
  [
    WEAKENED,
    nearby(DISABLE, PROTECTIONS),
    '(?:ファイアウォール|認証|証明書の検証|暗号化)[^。！？\\n]{0,10}(?:無効|オフ|切り|外し|停止)',
    '(?:关闭|关掉|禁用|跳过|停用)[^。！？\\n]{0,8}(?:防火墙|认证|身份验证|证书|加密|鉴权)',
  ].join('|'),
  'iu',
);

/** Not in a place where it matters. */
const HARMLESS_PLACE =
  /\b(?:temp|temporary|tmp|test|tests|scratch|staging|local|localhost|sandbox|node_modules|testdatenbank|testsystem|prueba|pruebas|teste|prova)\b|テスト|测试|тестов/i;

/** Actions that cannot be undone. They come before everything else that a message describes. */
export const DESTRUCTIVE_ACTION: IncidentKind = {
  name: 'destructive',
  title: 'an action that cannot be undone',
  isAction: true,
  words: DESTRUCTIVE,
  except: HARMLESS_PLACE,
  steps: [
    {
      id: 'stop_before_destroying',
      text: 'Stop, and do not run it yet. Write down exactly what it would remove, in which environment, and what of that cannot be brought back.',
      reason:
        'Deleted data, dropped tables and overwritten history come back only from a copy that exists already.',
    },
    {
      id: 'ask_to_confirm',
      text: 'Ask the owner to confirm in writing, with the name of the environment and of each thing that is removed.',
      reason: 'An instruction that was meant for a test system looks the same.',
    },
    {
      id: 'back_up_first',
      text: 'Make a backup, restore it somewhere else, and check that it can be read.',
      reason: 'A backup that was never restored is not known to work.',
    },
    {
      id: 'rehearse',
      text: 'Run it as a dry run or on a copy first, then on the smallest part, and prefer renaming or disabling to deleting.',
      reason: 'What is renamed can be named back.',
    },
  ],
};

/** Protections that an agent switches off to get further. What is wrong besides is answered, with a warning. */
export const WEAKENED_PROTECTION: IncidentKind = {
  name: 'weakened_protection',
  title: 'a protection that would be weakened',
  isAction: true,
  isProtection: true,
  words: WEAKENS,
  except: HARMLESS_PLACE,
  steps: [
    {
      id: 'keep_protection',
      text: 'Do not do it, and undo it where it is done. Write down which error it was meant to get rid of.',
      reason:
        'Open permissions, unchecked certificates or scripts and missing authentication let anybody in, and hide the error instead of mending it.',
    },
    {
      id: 'narrowest_exception',
      text: 'Find the narrowest change that ends that error: one path, one user, one host, one certificate authority.',
      reason: 'What is opened for one purpose can be checked and closed again.',
    },
    {
      id: 'ask_for_exception',
      text: 'Ask whoever owns this protection for that one change, with the error and the time for which you need it.',
      reason: 'The owner knows what else it protects.',
    },
  ],
};
