import { ALL_KINDS, ARGUMENT, COMMAND, JOINED, PATH, REDIRECT, RESOLVED, SQL, URL } from "../../values/Value.ts"
import type { Model } from "../Model.ts"

/** What the language and its common libraries hand on, put together and make harmless. */
export const standard: Model = {
  name: "standard",
  sanitizers: [
    { path: /^(?:path|path\/filepath|filepath)\.Join$/, kinds: JOINED, text: /^[^\u0000]/ },
    {
      path: /^(?:strconv\.(?:Atoi|ParseInt|ParseUint|ParseFloat|ParseBool|Itoa|FormatInt)|len|cap|int(?:8|16|32|64)?|uint(?:8|16|32|64)?|float(?:32|64)|bool|time\.Parse\w*|net\.ParseIP|uuid\.(?:Parse|MustParse)|github\.com\/(?:google|gofrs|satori\/go\.)\/?uuid\.\w+|github\.com\/google\/uuid\.\w+|primitive\.ObjectIDFromHex)$/,
      kinds: ALL_KINDS
    },
    { path: /^(?:path|path\/filepath|filepath)\.(?:Base|Ext)$/, kinds: PATH },
    { path: /^(?:path|path\/filepath|filepath)\.(?:Clean|Join|Abs|Rel|EvalSymlinks)$/, kinds: RESOLVED },
    { path: /^(?:path|path\/filepath|filepath)\.(?:Clean|Join)$/, kinds: PATH, text: /^[\\/]+\u0000$/ },
    { path: /^strings\.(?:Replace|ReplaceAll)$/, kinds: PATH, text: /\u0000\.\./ },
    { path: /^(?:net\/)?url\.(?:QueryEscape|PathEscape)$/, kinds: URL | PATH | REDIRECT },
    { path: /(?:^|\.)(?:QuoteIdentifier|QuoteLiteral|Sanitize|EscapeString)$/, kinds: SQL },
    { path: /(?:shellescape|shellquote|execescape)\.(?:Quote|Join)/, kinds: COMMAND | ARGUMENT }
  ],
  propagators: [
    {
      path: /^(?:string|regexp\.(?:Must)?Compile|strings\.(?:TrimSpace|Trim\w*|ToLower|ToUpper|Title|Replace|ReplaceAll|Split\w*|Fields|Repeat|NewReader|Map)|append|bytes\.\w+|url\.(?:QueryUnescape|PathUnescape|Parse)|net\/url\.(?:QueryUnescape|PathUnescape|QueryEscape|Parse)|io\.ReadAll|io\/ioutil\.ReadAll|ioutil\.ReadAll|encoding\/json\.(?:NewDecoder|Marshal)|filepath\.\w+|path\/filepath\.\w+|path\.\w+|html\.EscapeString|fmt\.Sprint(?:ln)?|strings\.NewReplacer\(\)\.Replace)$/
    },
    { path: /^fmt\.(?:Sprintf|Errorf|Appendf)$/, how: "formats" },
    {
      path: /^(?:strings\.Builder|bytes\.Buffer|strings\.Builder\(\)|bytes\.NewBufferString\(\))\.Write(?:String|Byte|Rune)?$/,
      how: "builds"
    },
    { path: /^encoding\/json\.(?:Unmarshal|NewDecoder\(\)\.Decode)$|\.Decode$/, how: "fills" }
  ]
}
