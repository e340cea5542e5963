import type { SourceFile } from "../../core/files/SourceFile.ts"
import { clip, type Store } from "../Observed.ts"
import { languageName } from "./languageName.ts"
import { remoteStores } from "./remoteStores.ts"

const MAX_STORES = 8
const MAX_SHOWN = 90

const script = /^(?:typescript|tsx|javascript|vue)$/

/** What GIO's files are written, copied and removed with, by its bindings. */
const ofGio =
  /\.(?:replace_contents|trash|copy_async|move_async)(?:_async)?\(|\.(?:copy|move|replace|create)\([^\n]{0,80}\bFile(?:Copy|Create)Flags\b/g

/** The module is imported, and nothing else in the file has its name. */
const importsOs =
  /^(?![\s\S]*(?:\bos\s*=[^=]|\bfor os in\b|\bdef \w+\([^)\n]{0,200}\bos\b))(?=[\s\S]*\n?[ \t]*(?:import|from)\b[^\n]{0,120}\bos\b)/

/** Calls that write a file, or open a store that keeps what it is given. */
const stores: ReadonlyArray<readonly [languages: RegExp, call: RegExp, kind: Store["kind"], needs?: RegExp]> = [
  [
    script,
    /\b(?:fs|fsp|fse|fs\.promises|fsPromises|Deno|Bun)\.(?:(?:writeFile|appendFile|outputFile|outputJson|outputJSON|writeJson|writeJSON|createWriteStream|rename)(?:Sync)?|writeTextFile|write)\(/g,
    "files"
  ],
  [
    script,
    /(?<![.\w])(?:writeFile|appendFile|outputFile|outputJson|createWriteStream)(?:Sync)?\((?!\s*\))|\bpromisify\(\s*(?:fs\.)?(?:writeFile|appendFile)\b/g,
    "files",
    /["'](?:node:)?fs(?:\/promises|-extra)?["']/
  ],
  [script, /\blocalStorage\.setItem\(|\bindexedDB\.open\(/g, "the browser's storage"],
  [script, /\bnew (?:sqlite3?\.)?(?:Database|DatabaseSync)\(/g, "SQLite", /["'](?:node:)?(?:better-)?sqlite3?["']/],
  [
    script,
    /\b(?:levelup|level|new (?:Level|ClassicLevel))\(\s*[\w"'`]/g,
    "a key-value store",
    /["'](?:level|levelup|classic-level|leveldown)["']/
  ],
  [
    script,
    /\bnew (?:PouchDB|Datastore|Nedb|NeDB)\(|\bPouchDB\.defaults\(/g,
    "a database",
    /["'](?:pouchdb|@?[\w-]*\/?nedb)[\w-]{0,20}["']/
  ],
  [script, /\bnew (?:Low|LowSync)\(|\blow\(|\bJSONFile(?:Sync)?(?:Preset)?\(/g, "files", /["']lowdb(?:\/\w+)?["']/],
  [script, /\bnew (?:Conf|Configstore)\(/g, "settings", /["'](?:conf|configstore)["']/],
  [script, ofGio, "files", /\bgi:\/\/Gio\b|\bimports\.gi\b/],
  [
    /^python$/,
    /(?<![.\w])(?:io\.|codecs\.)?open\([^()\n]{1,80}(?:\([^()\n]{0,60}\)[^()\n]{0,40})?,\s*(?:mode\s*=\s*)?["'][rbtU]{0,2}[wax]|\.open\(\s*(?:mode\s*=\s*)?["'][wax][bt+]{0,2}["']|\.(?:write_text|write_bytes)\(|\b(?:pickle|json|toml|marshal)\.dump\((?![^)\n]*\bstream\b)|\byaml\.dump\([^,()\n]{1,60},\s*(?!stream\b|\w+\s*=)\w/g,
    "files"
  ],
  [
    /^python$/,
    /\bos\.(?:replace|rename)\((?!\s*["'][^"'\n]{0,40}["']\s*,\s*["'][^"'\n]{0,40}["']\s*[,)])/g,
    "files",
    importsOs
  ],
  [/^python$/, /\b(?:sqlite3|apsw|aiosqlite)\.(?:connect|Connection)\(|\bSqlite\w{0,12}Database\(/g, "SQLite"],
  // An engine may also be there to ask whether another database answers.
  [
    /^python$/,
    /(?<![.\w])(?:\w{1,12}\.)?create_(?:async_)?engine\(\s*(?:[\w"'*]|$)/gm,
    "a database",
    /^(?=[\s\S]*\b(?:sqlalchemy|sqlmodel)\b)(?=[\s\S]*\b(?:sessionmaker|Session|create_all|commit)\b)/
  ],
  [/^python$/, /\bTinyDB\(/g, "files"],
  [
    /^python$/,
    /\b(?:es|elastic\w{0,12})\.(?:index|create|update|delete|bulk)\(|(?<![.\w])(?:helpers\.)?bulk\(\s*(?:es|elastic\w{0,12}|self\.\w{1,20})\s*,/g,
    "a database",
    /\b(?:import|from)\s+elasticsearch\b/
  ],
  [/^python$/, ofGio, "files", /\bgi\.repository\b/],
  [
    /^python$/,
    /\bsettings\.set_(?:string|int|uint|boolean|double|enum|flags|strv|value)\(/g,
    "settings",
    /\bgi\.repository\b/
  ],
  [/^python$/, /\.setValue\(\s*["']/g, "settings", /\bQSettings\b/],
  [/^python$/, /\b(?:shelve|dbm|anydbm|lmdb|plyvel)\.(?:open|DB)\(/g, "a key-value store"],
  [
    /^go$/,
    /\b(?:os\.(?:Create|WriteFile|Rename|OpenFile(?=\([^\n]{1,160}\bO_(?:WRONLY|RDWR|CREATE|APPEND|TRUNC)\b))|ioutil\.WriteFile)\(/g,
    "files"
  ],
  [/^go$/, /\b(?:bolt|bbolt|badger|leveldb|pebble|diskv)\.(?:Open|OpenFile|New)\(/g, "a key-value store"],
  // Packages that write a file as a whole call such a function so.
  [/^go$/, /\b\w{1,20}\.(?:Must)?(?:WriteFileAtomic|AtomicWriteFile|WriteAtomic|AtomicWrite|WriteFile)\(/g, "files"],
  [/^go$/, /\bsql\.Open\(\s*"sqlite3?"|\bsqlite\.Open\(/g, "SQLite"],
  [/^go$/, /\bviper\.(?:Safe)?WriteConfig(?:As)?\(/g, "settings"],
  [/^rust$/, /\b(?:File::(?:create|create_new|options)|fs::(?:write|rename)|OpenOptions::new)\(/g, "files"],
  [
    /^rust$/,
    /\b(?:sled::open|sled::Config::new|DB::open\w*|Database::(?:create|open))\(/g,
    "a key-value store",
    /\b(?:sled|rocksdb|redb|heed|lmdb)\b/
  ],
  [/^rust$/, /\.persist(?:_noclobber)?\(/g, "files", /\btempfile\b/],
  [/^rust$/, /\b(?:rusqlite::)?Connection::open\(/g, "SQLite", /\b(?:rusqlite|sqlite)\b/],
  [
    /^(?:java|kotlin|scala)$/,
    /\bnew (?:FileOutputStream|FileWriter)\(|\bnew RandomAccessFile\([^;\n]{1,120},\s*"rw[sd]?"|\bFiles\.(?:write|writeString|newBufferedWriter|newOutputStream|copy|move)\(/g,
    "files"
  ],
  [
    /^(?:java|kotlin)$/,
    /\.(?:modifyAttributes|createSubcontext|destroySubcontext)\(/g,
    "an LDAP directory",
    /\bjavax\.naming\.directory\b/
  ],
  [/^kotlin$/, /\.(?:writeText|writeBytes)\(/g, "files"],
  [/^(?:java|kotlin)$/, /\.put(?:Int|Long|Boolean|Double|ByteArray)?\(/g, "settings", /\bjava\.util\.prefs\b/],
  [/^swift$/, /\.write\(to(?:File)?:|\.createFile\(atPath:/g, "files"],
  [/^swift$/, /\bUserDefaults\.standard\.set\(/g, "settings"],
  [
    /^ruby$/,
    /\b(?:File|IO)\.(?:write|binwrite)\(?|\bFile\.(?:open|new)\(?[^\n]{1,80}?,\s*["'](?:w|a|r\+)|\bFile\.rename\(|\b(?:YAML::Store|PStore)\.new/g,
    "files"
  ],
  // Also a method of the program's own that opens files, with the name of the file before the mode.
  [/^perl$/, /\b[oO]pen\s*\(?\s*(?:my\s+)?(?:[$\w{}]+\s*,|\\?\*\w+\s*,[^,\n]{1,60},)\s*["']\s*\+?>{1,2}/g, "files"],
  [
    /^perl$/,
    /(?<![\w>:$@%-])rename\s*\(?\s*["'$]|\b(?:lock_)?n?store\s*\(\s*[\\$]|\b(?:DumpFile|write_file|write_text)\s*\(\s*["'$]/g,
    "files"
  ],
  [/^perl$/, /\bDBI->connect\(\s*["']dbi:SQLite\b/gi, "SQLite"],
  [
    /^haskell$/,
    /\b(?:writeFile(?:Utf8|Text|LBS|BS)?|appendFile|writeBinFile|encodeFile|writeDocBinFile|renameFile|(?:with|open)BinaryFile(?![^\n]*\bReadMode\b)|(?:with|open)File\b(?=[^\n]*\b(?:Write|Append|ReadWrite)Mode\b))\b(?=[^\n]*\S)(?![^\n]*::)/g,
    "files"
  ],
  [
    /^(?:erlang|elixir)$/,
    /\bfile:(?:write_file|rename)\(|\bfile:open\([^\n]{1,80}?\b(?:write|append)\b|\bFile\.(?:write(?:_stream)?|rename|cp)!?\(|\bFile\.(?:open|stream)!?\([^\n]{1,100}?:(?:write|append)\b/g,
    "files"
  ],
  [/^elixir$/, /\bRepo\.(?:insert|update|delete)(?:_all|_or_update)?!?\(/g, "a database"],
  [/^erlang$/, /\b(?:mnesia:(?:dirty_)?write|mnesia:create_table|dets:(?:open_file|insert))\(/g, "a key-value store"],
  [
    /^ocaml$/,
    /(?<!\b(?:let|and|val|rec)\s{1,4})\b(?:(?:[A-Z]\w{0,20}\.)?open_out(?:_bin|_gen)?|Out_channel\.(?:open_\w+|with_open_\w+|with_file|create|write_\w+)|(?:Sys|Unix|Sys_unix)\.rename|Yojson\.(?:\w+\.)?to_file|OS\.File\.write(?:f|_lines)?)\b/g,
    "files"
  ],
  [/^ocaml$/, /\bSqlite3\.db_open\b/g, "SQLite"],
  [
    /^d$/,
    /\bstd\.file\.(?:write|append|rename)\(|\bFile\(\s*[^\n;]{1,100}?,\s*["`][wa]|\.toFile\(|(?<![.\w])(?:write|append)\(\s*\w*(?:[pP]ath|[fF]ile)\w*\s*,/g,
    "files"
  ],
  [/^dart$/, /\.(?:writeAsString|writeAsBytes|openWrite)(?:Sync)?\(/g, "files"],
  [/^clojure$/, /\(spit\s/g, "files"],
  [/^nim$/, /\bwriteFile\(|\bopen\([^\n]{1,80}?,\s*fm(?:Write|Append|ReadWrite)/g, "files"],
  [/^groovy$/, /\.with(?:Writer|OutputStream)\b|\bnew File\([^\n]{1,80}\)\.(?:write|append|text\s*=)/g, "files"],
  [/^f#$/, /\bFile\.(?:Write|Append)\w+\b|\bnew StreamWriter\b/g, "files"],
  [/^crystal$/, /\bFile\.(?:write|rename)\b|\bFile\.(?:open|new)\b[^\n]{1,80}?,\s*"[wa]/g, "files"],
  [/^julia$/, /\bopen\([^\n]{1,80}?,\s*"[wa]/g, "files"],
  [/^r$/, /\b(?:saveRDS|write\.(?:csv2?|table)|fwrite|write_(?:csv|tsv|rds))\(/g, "files"],
  [
    /^tcl$/,
    /\[\s*open\s+(?:\S{1,80}|"[^"\n]{1,80}"|\[[^\]\n]{1,80}\])\s+["{]?[wa]\+?["}\]]|\bfile\s+rename\s/g,
    "files"
  ],
  [/^tcl$/, /^[ \t]*sqlite3[ \t]+(?:::)?\w+[ \t]+["$\w[]/gm, "SQLite", /\bpackage[ \t]+require[ \t]+sqlite3?\b/],
  [/^lisp$/, /:direction\s+:(?:output|io)\b/g, "files"],
  [/^lua$/, /\bio\.open\s*\([^\n]{1,80}?,\s*["'][wa]/g, "files"],
  [/^php$/, /\bfile_put_contents\(|\bfopen\([^\n]{1,80}?,\s*["'][wax]/g, "files"],
  [/^php$/, /\bnew \\?(?:PDO\(\s*["']sqlite:|SQLite3\()/g, "SQLite"],
  [/^php$/, /(?<![\w>$:])@?ldap_(?:add|modify|mod_add|mod_replace|mod_del|rename|delete)\(/g, "an LDAP directory"],
  [
    /^csharp$/,
    /\bFile\.(?:Write\w+|Append\w+|Create|OpenWrite)\(|\bnew StreamWriter\(|\bnew FileStream\((?![^;\n]{1,160}FileMode\.Open\b(?![^;\n]{0,80}Write))/g,
    "files"
  ],
  [
    /^(?:c|cpp)$/,
    /\b(?:[a-z]{1,12}_?)?fopen(?:64|_s)?\s*\([^\n;]{1,120}?(?:,|,[^\n;,]{1,60}[?:])\s*\(?\s*"(?:[wa]|r[bt]?\+)|\bg_file_set_contents\w*\s*\(|\bg_key_file_save_to_file\s*\(|\bofstream\s+\w+\s*[({]|\bfstream\s+\w+\s*[({][^;\n]{1,120}\bios(?:_base)?::(?:out|app|trunc)\b|(?<![.\w>])rename\s*\((?!\s*(?:const|char)\b)(?=[^;\n]{3,160},)|\bopen\s*\([^\n;]{1,100}?\bO_CREAT\b|(?:->|\.)open\((?:QIODevice|QFile)::(?:WriteOnly|Append|ReadWrite)/g,
    "files"
  ],
  [
    /^(?:c|cpp)$/,
    /\bg_file_(?:replace|create|copy|move|trash|append_to|replace_contents)(?:_async|_readwrite)?\s*\(/g,
    "files"
  ],
  // Functions of libraries whose own names say that they save settings or a document.
  [
    /^(?:c|cpp)$/,
    /(?<!\b(?:void|bool|int)\s{1,4}(?:\w{1,40}::)?)\b(?:safeS|s)aveAs(?:Ini|Json|Xml|Yaml)\s*\(/g,
    "settings"
  ],
  [/^(?:c|cpp)$/, /(?:\.|->)(?:SaveFile|save_file|[sS]aveToFile)\s*\(/g, "files"],
  [/^cpp$/, /(?:->|\.)Write\s*\(\s*(?:wxT|_T|wxString|_)?\(?\s*L?"/g, "settings", /\bwx(?:File)?Config\b/],
  [/^csharp$/, /\bSettings\.Default\.Save\(\)/g, "settings"],
  [/^(?:c|cpp)$/, /\bg_settings_set(?:_(?:string|int|uint|boolean|double|enum|flags|strv|value))?\s*\(/g, "settings"],
  [/^(?:c|cpp)$/, /(?:\.|->)setValue\s*\(\s*(?:["Q]|\w+\s*,)/g, "settings", /\bQSettings\b/],
  [/^(?:c|cpp)$/, /(?:\.|->)writeEntry\s*\(/g, "settings", /\bK(?:Shared)?Config/],
  [/^(?:c|cpp)$/, /\bsqlite3_open(?:_v2)?\s*\(/g, "SQLite"],
  [
    /^(?:c|cpp)$/,
    /\b(?:mdb_env_open|leveldb::DB::Open|rocksdb::DB::Open|tcadbopen|gdbm_open|tdb_open)\s*\(/g,
    "a key-value store"
  ],
  [
    /^(?:typescript|javascript|python|ruby|php|go|java|perl)$/,
    /(?:\.|->)(?:h(?:m?set|incrby)|z(?:add|incrby)|[sS][aA]dd|[lr]push|setex|setnx|HM?Set|ZAdd|[LR]Push|hM?[sS]et|zAdd|[lr]Push)\s*\(/g,
    "a key-value store",
    /\b\w?redis/i
  ],
  [/^(?:python|php|ruby)$/, /(?:\.|->)basic_publish\s*\(/g, "a queue"],
  [/^python$/, /\b\w*producer\.(?:send|produce|send_and_wait)\(/g, "a queue", /\b(?:aio|confluent_)?kafka\b/],
  [script, /\.sendToQueue\(/g, "a queue", /["']amqp/],
  [script, /\b\w*[pP]roducer\.send(?:Batch)?\(/g, "a queue", /["']kafkajs["']/],
  [script, /\bnew SendMessage(?:Batch)?Command\(/g, "a queue", /["']@aws-sdk\/client-sqs["']/],
  [/^go$/, /\.Publish(?:WithContext)?\(/g, "a queue", /"[^"\n]{0,80}\/amqp[\w-]{0,20}"/],
  [/^go$/, /\.WriteMessages\(/g, "a queue", /"[^"\n]{0,80}\/kafka-go"/],
  [/^(?:java|kotlin)$/, /\b(?:kafka|rabbit|jms|amqp)Template\.(?:send|convertAndSend)\(/g, "a queue"],
  [/^vala$/, /\bsettings\.set_(?:string|int|uint|boolean|double|enum|flags|strv|value)\s*\(/g, "settings"],
  [
    /^vala$/,
    /\bFileUtils\.(?:set_(?:contents|data)|rename)\s*\(|\.(?:replace_contents|trash|copy_async|move_async)(?:_async)?\s*\(|\.(?:create|replace|copy|move)(?:_async|_readwrite)?\s*\([^\n]{0,80}\bFile(?:Create|Copy)Flags\b|\bFileStream\.open\s*\([^\n]{1,80}?,\s*"[wa]/g,
    "files"
  ],
  [
    /^pascal$/,
    /(?<![.\w])rewrite\s*\(\s*(?!output\b)\w|\bTFileStream\.Create\s*\([^;\n]{1,160}\bfm(?:Create|OpenWrite|OpenReadWrite)\b|\.SaveToFile\s*\(|(?<![.\w])(?:RenameFile(?:UTF8)?|WriteXMLFile)\s*\(/gi,
    "files"
  ],
  [
    /^pascal$/,
    /\.(?:Write(?:String|Integer|Int64|Bool|Float|DateTime)|UpdateFile|SetValue|SetDeleteValue)\b/gi,
    "settings",
    /\b(?:T(?:Mem)?IniFile|TXMLConfig|TJSONConfig)\b/i
  ],
  [/^pascal$/, /\bTSQLite3Connection\.Create\b|\bsqlite3_open\w{0,4}\s*\(/gi, "SQLite"],
  [
    /^(?:coffeescript|livescript)$/,
    /\b(?:fs|fse)\.(?:writeFile|appendFile|outputFile|writeJson|createWriteStream|rename)(?:Sync)?(?=[ (])/g,
    "files"
  ],
  [/^objective-c$/, /\bwriteTo(?:File|URL):/g, "files"]
]

/** Also what only names a function that writes, as an import of Haskell does. */
const isComment = (line: string): boolean =>
  /^import\s|^\s*(?:--\s|%|\/\/|\*|\/\*|#(?!\[|include)|>>>\s|\.\.\.\s)/.test(line)

/** What was written beside its place is moved there, whatever it was called before. */
const isMoved = (line: string): boolean =>
  /\bos\.(?:Rename|rename|replace)\(|\.persist(?:_noclobber)?\(|(?<![.\w>])rename\s*\(/.test(line)

const isPassing =
  /["'](?:\/proc|\/sys)\/|(?<![a-z])lock(?:[_-]?(?:file|path|fd|fh))?\b|\b(?:cpu|mem|heap|block|mutex)_?prof|pprof|\/dev\/(?:null|tty|stdout)|\bpid_?(?:file|path)|\boom_?(?:score|adj)|_pid_?file|\.(?:pid|lock)\b|\block_?file|php:\/\/(?:output|std|memory|temp)|\bdevnull\b|:memory:|\b[bB]uffer(?:\.|->)open\(|\bte?mp(?:file|dir|_path)?\b|temp(?:file|dir|folder|name)?\(|stdout|stderr/i

const LINES_TO_MOVE = 6
const writesBeside = /(?<![\w.])(\w{0,20}te?mp\w{0,20})\.write_(?:text|bytes)\(/

/** What is written beside its place is moved there soon, by a path of Python: `tmp.replace(self._path)`. */
const isMovedSoon = (file: SourceFile, line: number): boolean => {
  const beside = writesBeside.exec(file.lineText(line))?.[1]
  return (
    beside !== undefined &&
    Array.from({ length: LINES_TO_MOVE }, (_, i) => line + 1 + i).some(
      (next) =>
        next <= file.lineCount &&
        new RegExp(String.raw`(?<![\w.])${beside}\.(?:replace|rename)\(|\bos\.(?:replace|rename)\(${beside}\b`).test(
          file.lineText(next)
        )
    )
  )
}

/** A file that is created where it is missing, and only read. */
const isReadOnly = /\bos\.OpenFile\([^\n]{1,160}\bO_RDONLY\b/

/** What a program asks at the terminal, by the name of the variable: `ttyPath`, `tty_fd`. */
const isTerminal = /(?<![A-Za-z\d])tty(?:[A-Z_]\w{0,30}|\d)?\b/

/** What is for a moment only, or goes to the screen. */
const isFleeting = (line: string): boolean =>
  !isMoved(line) && (isPassing.test(line) || isReadOnly.test(line) || isTerminal.test(line))

const MAX_LINES_OF_CALL = 6

/** A call that goes on with the next lines says there which file it opens: `.open("/dev/null")` after options, each on a line. */
const wholeCall = (file: SourceFile, first: number): string => {
  let text = file.lineText(first)
  for (let line = first + 1; line <= Math.min(file.lineCount, first + MAX_LINES_OF_CALL); line++) {
    const next = file.lineText(line)
    if (!/[(,]\s*$/.test(text) && !/^\s*\./.test(next)) break
    text += `\n${next}`
  }
  return text
}

/** These are known by the names of files only. */
const languageOf = (file: SourceFile): string => {
  const name = languageName(file)?.toLowerCase() ?? ""
  return /^(?:perl|lua|haskell|erlang|elixir|objective-c|vala|ocaml|d|dart|clojure|nim|groovy|pascal|coffeescript|livescript|f#|crystal|julia|r|tcl|lisp)$/.test(
    name
  )
    ? name
    : file.language
}

/** In Rust the tests of a module stand at the end of its file. */
const endOfProduct = ({ language, text }: SourceFile): number => {
  const at = language === "rust" ? text.search(/^#\[cfg\(test\)\]\s*(?:pub(?:\(crate\))?\s+)?mod\s/m) : -1
  return at < 0 ? text.length : at
}

/** Text that is not run: how it begins and ends. */
const unrun: ReadonlyArray<readonly [languages: RegExp, open: RegExp, close: string]> = [
  [/^(?:c|cpp)$/, /\/\*/g, "*/"],
  [/^(?:c|cpp)$/, /^#[ \t]*if[ \t]+0\b/gm, "\n#e"],
  [/^pascal$/, /(?<!')\{(?!\$)/g, "}"],
  [/^pascal$/, /\(\*/g, "*)"],
  [/^coffeescript$/, /^[ \t]*###(?!#)/gm, "###"],
  [/^livescript$/, /\/\*/g, "*/"],
  [/^perl$/, /^=(?:head\d|pod|over|item|begin|for|encoding)\b/gm, "\n=cut"]
]

/** Comments, code that is left out, and documents within the code. */
const unrunSpans = (language: string, text: string): ReadonlyArray<readonly [start: number, end: number]> =>
  unrun.flatMap(([languages, open, close]) => {
    const spans: Array<readonly [number, number]> = []
    if (!languages.test(language)) return spans
    const opening = new RegExp(open)
    for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
      const end = text.indexOf(close, opening.lastIndex)
      spans.push([found.index, end < 0 ? text.length : end])
      if (end < 0) break
      opening.lastIndex = end + close.length
    }
    return spans
  })

/** Whether an offset is inside of one of some spans, which may overlap. */
const withinSpans = (spans: ReturnType<typeof unrunSpans>): ((offset: number) => boolean) => {
  const sorted = [...spans].sort((a, b) => a[0] - b[0])
  let furthest = 0
  const ends = sorted.map(([, end]) => {
    furthest = Math.max(furthest, end)
    return furthest
  })
  return (offset) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]![0] < offset) low = middle + 1
      else high = middle
    }
    return low > 0 && offset < ends[low - 1]!
  }
}

const all = [
  ...stores,
  ...remoteStores.map(({ languages, call, kind, needs }) => [languages, call, kind, needs] as const)
]

type Kept = readonly [index: number, kind: Store["kind"]]

/** Calls of a file that write something, form by form. */
function* writesIn(file: SourceFile, language: string): Generator<Kept> {
  const end = endOfProduct(file)
  // Most files store nothing, and their comments need not be looked for.
  let isUnrun: ((offset: number) => boolean) | null = null
  for (const [languages, call, kind, needs] of all) {
    if (!languages.test(language) || needs?.test(file.text) === false) continue
    for (const { index } of file.text.matchAll(call)) {
      if (index >= end) break
      isUnrun ??= withinSpans(unrunSpans(language, file.text))
      if (!isUnrun(index)) yield [index, kind]
    }
  }
}

/** Where a file of the sources keeps something outside of the program. */
export const storesOf = (file: SourceFile): ReadonlyArray<Store> => {
  if (file.role !== "source") return []
  const found = new Map<string, Store>()
  // A line may be long, and have many of them.
  const matchedLines = new Set<number>()
  for (const [index, kind] of writesIn(file, languageOf(file))) {
    if (found.size >= MAX_STORES) break
    const line = file.line(index)
    if (matchedLines.has(line)) continue
    matchedLines.add(line)
    const text = file.lineText(line)
    const shown = clip(text, MAX_SHOWN)
    if (!isComment(text) && (!isFleeting(wholeCall(file, line)) || isMovedSoon(file, line)) && !found.has(shown))
      found.set(shown, { kind, line, shown })
  }
  return [...found.values()]
}
