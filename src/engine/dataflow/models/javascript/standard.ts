import {
  ALL_KINDS,
  ARGUMENT,
  CODE,
  COMMAND,
  JOINED,
  NOSQL,
  PATH,
  REDIRECT,
  RESOLVED,
  SQL,
  URL
} from "../../values/Value.ts"
import type { Model } from "../Model.ts"

/** What the language and its common libraries hand on, put together and make harmless. */
export const standard: Model = {
  name: "standard",
  sanitizers: [
    { path: /^path(?:\.posix|\.win32)?\.(?:join|resolve)$/, kinds: JOINED, text: /^[^\u0000]/ },
    {
      path: /^(?:parseInt|parseFloat|Number|BigInt|Boolean|isNaN|Number\.\w+|Math\.\w+|Date|Date\.\w+|isFinite|crypto\.\w+|Symbol)$/,
      kinds: ALL_KINDS
    },
    { path: /(?:^|\.)(?:ObjectId|ObjectID|createHash|hash|hashSync|bcrypt\.\w+|uuid|randomUUID)$/, kinds: ALL_KINDS },
    {
      path: /(?:^|(?<!^util)\.)(?:escape|escapeId|escapeLiteral|escapeIdentifier|format|SqlString\.\w+|quoteIdent|quoteLiteral)$/,
      kinds: SQL | NOSQL
    },
    { path: /^pg-format\.(?:literal|ident|string)$/, kinds: SQL },
    {
      path: /(?:^|\.)(?:shellescape|shell-escape|shell-quote\.quote|quote|shellQuote|escapeShellArg|shell_escape|escapeArg)$|^shell-escape$|^shlex\.quote$/,
      kinds: COMMAND | ARGUMENT
    },
    { path: /^path(?:\.posix|\.win32)?\.(?:basename|extname)$|^(?:sanitize-filename|filenamify)$/, kinds: PATH },
    {
      path: /^path(?:\.posix|\.win32)?\.(?:join|resolve|normalize|relative)$|^fs(?:\.promises|\/promises)?\.realpath(?:Sync)?$/,
      kinds: RESOLVED
    },
    { path: /^path(?:\.posix|\.win32)?\.(?:join|normalize)$/, kinds: PATH, text: /^[\\/]+\u0000$/ },
    // What is left has neither dots that go up nor slashes.
    { path: /\.replace(?:All)?$/, kinds: PATH, text: /^(?:\/[^[]{0,12}\\\.\\\.|\.\.)/ },
    { path: /\.replace(?:All)?$/, kinds: PATH, text: /^(?:\/|\/(?:\\\/|\[(?:\\\\)*\\?\/(?:\\\\)*\])\+?\/g)[-_]?$/ },
    { path: /\.replace(?:All)?$/, kinds: PATH, text: /^\/\[\^[^\]/]{1,80}\]\+?\// },
    {
      path: /\.replace(?:All)?$/,
      kinds: PATH,
      text: /^\/\[(?!\^)(?:[^\]\\\n]|\\.){0,300}\\?\/(?:[^\]\\\n]|\\.){0,300}\]\+?\/[imu]{0,3}g[imu]{0,3}[-_ ]?$/
    },
    { path: /\.replace(?:All)?$/, kinds: ALL_KINDS & ~URL, text: /^\/\[\^[\w\\ .:@-]{1,80}\]\+?\// },
    { path: /^encodeURIComponent$/, kinds: URL | PATH | REDIRECT },
    { path: /^String$|\.toString$/, kinds: NOSQL },
    // What it writes is a literal, also in code.
    { path: /^JSON\.stringify$/, kinds: NOSQL | CODE },
    { path: /(?:^|\.)(?:sanitize|mongo-sanitize|mongoSanitize)$/, kinds: NOSQL }
  ],
  propagators: [
    {
      path: /^(?:String|JSON\.(?:parse|stringify)|decodeURI(?:Component)?|encodeURI(?:Component)?|unescape|escape|Object\.(?:assign|values|entries|keys|fromEntries|freeze)|Array\.(?:from|of)|(?:Array\.prototype|collection)\.(?:slice|concat)\.(?:call|apply)|Promise\.(?:resolve|all|race)|Buffer\.(?:from|concat)|Set|Map|Array|URL|URLSearchParams|util\.(?:promisify|inspect)|promisify|querystring\.parse|qs\.parse|url\.parse|path(?:\.posix|\.win32)?\.(?:join|resolve|normalize|basename|dirname|parse|format)|structuredClone|lodash\.\w+|_\.\w+|atob|btoa|he\.decode|validator\.(?:trim|escape|stripLow|toString))$/
    },
    { path: /^(?:util\.format|pg-format|sprintf-js\.\w+|printf)$|^pg-format\.default$/, how: "formats" },
    { path: /^Object\.assign$/, how: "fills" }
  ]
}
