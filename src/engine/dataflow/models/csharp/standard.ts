import { ALL_KINDS, HTML, JOINED, PATH, REDIRECT, RESOLVED, SQL, URL } from "../../values/Value.ts"
import type { Model } from "../Model.ts"

/** What the language and its common libraries hand on, put together and make harmless. */
export const standard: Model = {
  name: "standard",
  sanitizers: [
    { path: /^(?:System\.IO\.)?Path\.(?:Combine|Join)$/, kinds: JOINED, text: /^[^\u0000]/ },
    {
      path: /^(?:(?:System\.)?(?:s?byte|u?short|u?int|u?long|float|double|decimal|bool|char|Guid|DateTime|DateTimeOffset|DateOnly|TimeSpan|Int16|Int32|Int64|Boolean|Decimal|Double|Enum|Convert|Math|IPAddress|Version|BitConverter)\.(?:Parse\w*|To(?:U?Int\d*|Boolean|Decimal|Double|Single|Byte|DateTime|Char|Base64String|HexString)|From\w*|Max|Min|Abs|Round|Floor|Ceiling|NewGuid)|nameof|(?:SHA\d+|MD5|HMAC\w+)(?:\(\))?\.\w+)$/,
      kinds: ALL_KINDS
    },
    { path: /^(?:Guid|DateTime|Version)$/, kinds: ALL_KINDS },
    { path: /(?:^|\.)(?:QuoteIdentifier|UnquoteIdentifier|EscapeSqlString|EscapeString)$/, kinds: SQL },
    {
      path: /^(?:System\.IO\.)?Path\.(?:GetFileName|GetFileNameWithoutExtension|GetExtension|GetRandomFileName)$/,
      kinds: PATH
    },
    { path: /^(?:System\.IO\.)?Path\.GetFullPath$/, kinds: RESOLVED },
    {
      path: /(?:^|\.)(?:Uri\.EscapeDataString|WebUtility\.UrlEncode|HttpUtility\.UrlEncode|UrlEncoder\.Default\.Encode|UrlEncode)$/,
      kinds: URL | PATH | REDIRECT
    },
    {
      path: /(?:^|\.)(?:HtmlEncode|HtmlAttributeEncode|JavaScriptStringEncode|GetSafeHtml\w*|Sanitize|HtmlEncoder\.Default\.Encode)$/,
      kinds: HTML
    }
  ],
  propagators: [
    {
      path: /^(?:[sS]tring\.(?:Concat|Copy|Join|Intern)|String|Convert\.(?:ToString|FromBase64String)|(?:System\.)?Uri(?:\.(?:UnescapeDataString|EscapeDataString|EscapeUriString))?|(?:System\.Net\.)?WebUtility\.\w+|HttpUtility\.\w+|Path\.(?:Combine|Join|GetFileName|GetFullPath|GetDirectoryName|ChangeExtension)|Encoding\.\w+\.Get(?:String|Bytes)|JsonSerializer\.(?:Deserialize|Serialize)(?:Async)?|JsonConvert\.\w+|StringBuilder|StreamReader|MemoryStream|Regex(?:\.Replace)?|List|HashSet|(?:[\w.]+\.)?MapPath|Task\.FromResult|FormattableString\.Invariant|KeyValuePair\.Create|Tuple\.Create|Server\.UrlDecode)$/
    },
    { path: /^[sS]tring\.Format$/, how: "formats" },
    { path: /^StringBuilder(?:\(\))?\.(?:Append|AppendLine|AppendFormat|AppendJoin|Insert)$/, how: "builds" }
  ]
}
