import { ALL_KINDS, ARGUMENT, COMMAND, JOINED, PATH, REDIRECT, RESOLVED, SQL, URL } from "../../values/Value.ts"
import type { Model } from "../Model.ts"

/** What the language and its common libraries hand on, put together and make harmless. */
export const standard: Model = {
  name: "standard",
  sanitizers: [
    { path: /^(?:java\.nio\.file\.)?(?:Paths\.get|Path\.of)$/, kinds: JOINED, text: /^[^\u0000]/ },
    {
      path: /^(?:Integer|Long|Short|Byte|Double|Float|Boolean|BigDecimal|BigInteger|java\.math\.\w+|UUID|java\.util\.UUID|LocalDate|java\.time\.\w+|Enum|Math|Objects|java\.util\.Objects)\.(?:parse\w*|valueOf|fromString|hash\w*|equals|\w*[mM]ax|\w*[mM]in|isNull|nonNull)$/,
      kinds: ALL_KINDS
    },
    { path: /^(?:BigDecimal|BigInteger|java\.math\.Big\w+|java\.util\.Date)$/, kinds: ALL_KINDS },
    {
      path: /(?:^|\.)(?:FilenameUtils\.(?:getName|getBaseName|getExtension|normalize\w*)|StringUtils\.getFilename\w*|getFileName)$|^(?:java\.io\.)?File\.getName$/,
      kinds: PATH
    },
    { path: /\.replace(?:All)?$/, kinds: PATH, text: /^(?:\.\.|\\\.\\\.|\[\^[^\]/]{1,80}\])/ },
    { path: /(?:^|\.)(?:normalize|toRealPath|getCanonicalPath|getCanonicalFile)$/, kinds: RESOLVED },
    { path: /(?:^|\.)(?:URLEncoder\.encode|UriUtils\.encode\w*)$/, kinds: URL | PATH | REDIRECT },
    { path: /(?:^|\.)(?:escapeSql|encodeForSQL|enquoteLiteral|enquoteIdentifier|quoteIdentifier)$/, kinds: SQL },
    { path: /(?:^|\.)encodeForOS$/, kinds: COMMAND | ARGUMENT }
  ],
  propagators: [
    {
      path: /^(?:String|java\.lang\.String|String\.(?:valueOf|copyValueOf)|Arrays\.asList|java\.util\.Arrays\.asList|List\.of|Set\.of|Optional\.of(?:Nullable)?|java\.util\.Optional\.of\w*|Collections\.\w+|java\.util\.Collections\.\w+|Objects\.(?:requireNonNull\w*|toString)|java\.util\.Objects\.(?:requireNonNull\w*|toString)|(?:java\.net\.)?URLDecoder\.decode|(?:\w+\.)*StringUtils\.(?:trim\w*|defaultString|strip\w*|lowerCase|upperCase|replace\w*|join|remove\w*)|(?:\w+\.)*HtmlUtils\.\w+|java\.lang\.String(?:Builder|Buffer)|java\.util\.(?:Array|Linked)List|ArrayList|Thread|(?:java\.io\.)?File|(?:java\.nio\.file\.)?(?:Paths\.get|Path\.of)|(?:[\w.]+\.)?[\w?:]+(?:\(\))?\.(?:resolve|resolveSibling)|(?:java\.net\.)?(?:URI|URL)(?:\.create)?|(?:[\w.]+\.)?UriComponentsBuilder\.(?:fromHttpUrl|fromUriString)|(?:java\.io\.)?(?:InputStreamReader|BufferedReader|BufferedInputStream|ByteArrayInputStream|StringReader)|(?:java\.util\.zip\.)?GZIPInputStream|(?:org\.xml\.sax\.)?InputSource|(?:[\w.]+\.)?StreamSource|(?:[\w.]+\.)?IOUtils\.\w+|(?:[\w.]+\.)?StringUtils\.cleanPath|(?:java\.util\.)?Base64\.getDecoder\(\)\.decode|(?:[\w.]+\.)?ObjectInputStream)$/
    },
    {
      path: /^(?:String|java\.lang\.String)\.format$|\.formatted$|^(?:java\.text\.)?MessageFormat\.format$/,
      how: "formats"
    },
    { path: /^java\.lang\.StringBuilder(?:\(\))?\.(?:append|insert)$/, how: "builds" }
  ]
}
