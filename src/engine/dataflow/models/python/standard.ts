import { ALL_KINDS, ARGUMENT, COMMAND, JOINED, NOSQL, PATH, REDIRECT, RESOLVED, SQL, URL } from "../../values/Value.ts"
import type { Model } from "../Model.ts"

/** What the language and its common libraries hand on, put together and make harmless. */
export const standard: Model = {
  name: "standard",
  sanitizers: [
    { path: /^str$/, kinds: NOSQL },
    { path: /^(?:os\.path|posixpath)\.join$/, kinds: JOINED, text: /^[^\u0000]/ },
    {
      path: /^(?:int|float|bool|len|complex|hash|ord|sum|max|round|abs|isinstance|range|hex|type|id|Decimal|UUID)$/,
      kinds: ALL_KINDS
    },
    {
      path: /^(?:uuid\.UUID|decimal\.Decimal|datetime\.\w+(?:\.\w+)*|hashlib\.\w+|werkzeug\.security\.\w+|bson\.(?:objectid\.)?ObjectId|base64\.b64encode)$/,
      kinds: ALL_KINDS
    },
    { path: /^(?:os\.path|posixpath|ntpath)\.(?:basename|splitext)$/, kinds: PATH },
    { path: /^os\.path\.(?:normpath|abspath|realpath)$|\.resolve$/, kinds: RESOLVED },
    { path: /\.replace$/, kinds: PATH, text: /^(?:\.\.|\/[-_]?$)/ },
    { path: /^re\.sub$/, kinds: PATH, text: /^\[\^[^\]/]{1,80}\]/ },
    { path: /^re\.sub$/, kinds: ALL_KINDS & ~URL, text: /^\[\^[\w\\ .:@-]{1,80}\]/ },
    { path: /^urllib\.parse\.(?:quote|quote_plus|urlencode)$/, kinds: URL | REDIRECT },
    { path: /^(?:shlex\.quote|pipes\.quote|shlex\.join|subprocess\.list2cmdline)$/, kinds: COMMAND | ARGUMENT },
    {
      path: /(?:^|\.)(?:quote_name|escape_string|quote_ident|mogrify|literal|quote_identifier|escape_literal|format_identifier|adapt|QuotedString)$/,
      kinds: SQL
    },
    { path: /(?:^|\.)psycopg\d?\.sql\.|(?:^|\.)sql\.(?:Identifier|Literal|SQL|Placeholder|Composed)\b/, kinds: SQL }
  ],
  propagators: [
    {
      path: /^(?:str|bytes|repr|list|tuple|set|dict|sorted|reversed|zip|map|filter|enumerate|next|iter|format|copy\.\w+|json\.(?:loads|dumps)|ujson\.loads|urllib\.parse\.\w+|html\.(?:un)?escape|base64\.b64decode|os\.path\.(?:join|normpath|basename|abspath|expanduser)|os\.fspath|os\.fsencode|pathlib\.(?:Pure)?(?:Posix)?Path|io\.(?:BytesIO|StringIO)|base64\.\w*decode\w*|codecs\.decode|zlib\.decompress|gzip\.decompress|textwrap\.dedent|re\.(?:sub|compile)|sqlalchemy\.(?:sql\.)?(?:expression\.)?text|sqlalchemy\.sql\.text|sqlalchemy\.text|shlex\.split|django\.utils\.\w+\.(?:force_str|smart_str|escape)|typing\.cast|six\.\w+)$/
    },
    { path: /\.(?:format|format_map)$/, how: "formats" },
    { path: /^io\.StringIO\(\)\.write$/, how: "builds" }
  ]
}
