/** Where a command takes its secrets. What is true of all commands, such as `--password`, is not listed. */
export interface Command {
  /** Options whose value is `user:password`, or a name and a value with another mark between. */
  readonly pairs?: RegExp
  /** Options whose value, attached or the next word, is the secret. */
  readonly secrets?: RegExp
  /** Options with the secret attached; alone they prompt for it. */
  readonly attached?: RegExp
  /** The options above mean a secret only after this word. */
  readonly after?: string
  /** The last word that is no option is the secret, after this word or with this flag. */
  readonly last?: string
}

/** `-w secret` and `-wsecret`. */
const w: Command = { secrets: /^-w/ }
const p: Command = { secrets: /^-p/ }
const capitalP: Command = { secrets: /^-P/ }
const login: Command = { secrets: /^-p/, after: "login" }
const mysql: Command = { attached: /^-p/ }
const samba: Command = { pairs: /^(?:-U|--user(?==|$))/ }
const httpie: Command = { pairs: /^(?:-a|--auth(?==|$))/ }
const skopeo: Command = { pairs: /^--(?:src-|dest-)?creds(?==|$)/, secrets: /^-p/, after: "login" }
const keys: Command = { secrets: /^-(?:src|dest|new)?(?:store|key)pass$/ }
const accounts: Command = { secrets: /^-(?:p|P|W)/ }

const grouped: ReadonlyArray<readonly [names: string, command: Command]> = [
  [
    "curl",
    {
      pairs: /^(?:-[A-Za-z]{0,6}[uUb]|--(?:proxy-)?user(?==|$)|--cookie(?==|$))/,
      secrets: /^--oauth2-bearer(?==|$)/
    }
  ],
  ["http https xh", httpie],
  [
    "mysql mysqldump mysqladmin mysqlimport mysqlsh mysqlcheck mysqlshow mariadb mariadb-dump mariadb-admin mycli",
    mysql
  ],
  ["7z 7za 7zr", mysql],
  ["rar unrar", { attached: /^-h?p/ }],
  ["sshpass twine cqlsh psexec", p],
  ["mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", p],
  ["useradd usermod ncftp ncftpput ncftpget rdesktop altool", p],
  ["docker podman nerdctl buildah helm oras crane az oc heroku cf doctl ibmcloud", login],
  ["skopeo", skopeo],
  ["htpasswd mosquitto_passwd", { last: "-b" }],
  ["openssl", { secrets: /^(?:-k|-pass(?:in|out)?|-passw(?:or)?d)$/ }],
  ["keytool jarsigner", keys],
  ["apksigner", { secrets: /^--(?:ks|key)-pass$/ }],
  ["smbclient smbget rpcclient smbmap smbpasswd", samba],
  ["crackmapexec netexec", p],
  ["ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn", w],
  ["ldappasswd", { secrets: /^-[was]/ }],
  ["redis-cli redis-benchmark", { secrets: /^-a$/ }],
  ["ftp lftp wput", { pairs: /^-u/ }],
  ["sqlcmd bcp osql isql zip unzip mosquitto_pub mosquitto_sub ipmitool", capitalP],
  ["ssh-keygen", { secrets: /^-[NP]$/ }],
  ["plink pscp psftp pageant putty", { secrets: /^-pw$/ }],
  ["security", { secrets: /^-[pPk]$/, after: "unlock-keychain" }],
  ["certutil signtool", { secrets: /^[-/]p$/i }],
  ["impacket-smbexec snowsql sfdx", accounts],
  ["etcdctl influx", { pairs: /^--user(?==|$)/ }],
  ["rabbitmqctl", { last: "add_user" }],
  ["cargo vault", { last: "login" }],
  ["snyk", { last: "auth" }],
  ["gh", { secrets: /^(?:-b|--body)(?==|$)/, after: "secret" }],
  ["ngrok", { last: "authtoken" }],
  ["nuget", { last: "setapikey" }],
  ["snmpwalk snmpget", { secrets: /^-[AX]$/ }]
]

export const commands: ReadonlyMap<string, Command> = new Map(
  grouped.flatMap(([names, command]) => names.split(" ").map((name) => [name, command] as const))
)

/** Alternatives of a pattern, longer names first. */
export const commandNames = [...commands.keys(), "net"].sort((a, b) => b.length - a.length).join("|")
