import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharpUrls } from "../languages/csharpMoreSinks.ts"
import { rubyUrls } from "../languages/rubyMoreSinks.ts"
import { RECEIVER, type SinkRule } from "../TaintLanguage.ts"
import { URL } from "../values/Value.ts"

const label = "a request to another server"
export const CONNECTION = "a connection to another machine"

const jsVerbs = "(?:get|post|put|patch|delete|head|request|options|stream|json|text)"
const addressFields = ["url", "uri", "host", "hostname", "baseURL", "baseUrl", "prefixUrl", "href"]

const javascript: ReadonlyArray<SinkRule> = [
  {
    kind: URL,
    label,
    path: /^(?:fetch|globalThis\.fetch|(?:node-fetch|cross-fetch|isomorphic-fetch|undici|axios|got|ky|needle|request|request-promise(?:-native)?|superagent|make-fetch-happen|phin|ofetch|bent)(?:\.default|\.fetch|\.\$fetch)?)$/,
    args: [0],
    fields: addressFields
  },
  {
    kind: URL,
    label,
    path: new RegExp(
      `^(?:axios|got|ky|request|request-promise(?:-native)?|superagent|undici|https?|follow-redirects\\.https?)(?:\\.default)?\\.${jsVerbs}$`
    ),
    args: [0],
    fields: addressFields
  },
  { kind: URL, label, path: /^needle\.(?:get|post|head|put|delete)$/, args: [0] },
  { kind: URL, label, path: /^needle(?:\.request)?$/, args: [1] },
  {
    kind: URL,
    label,
    path: /^(?:puppeteer(?:-core)?|playwright(?:-core)?)\b.*\.goto$|(?:^|\.)goto$/,
    args: [0],
    when: ({ receiver }) => /page$/i.test(receiver)
  },
  { kind: URL, label: CONNECTION, path: /^(?:net|tls)\.(?:connect|createConnection)$/, args: [1], fields: ["host"] }
]

const python: ReadonlyArray<SinkRule> = [
  {
    kind: URL,
    label,
    path: /^(?:requests|httpx)(?:\.(?:Session|session|Client|AsyncClient)\(\))?\.(?:get|post|put|patch|delete|head|options)$/,
    args: [0],
    named: ["url"]
  },
  {
    kind: URL,
    label,
    path: /^(?:requests|httpx)(?:\.(?:Session|session|Client|AsyncClient)\(\))?\.(?:request|stream)$/,
    args: [1],
    named: ["url"]
  },
  {
    kind: URL,
    label,
    path: /^(?:urllib\.request\.(?:urlopen|Request|urlretrieve)|urllib2\.(?:urlopen|Request)|urllib\.(?:urlopen|urlretrieve)|six\.moves\.urllib\.request\.\w+|wget\.download|feedparser\.parse|pycurl\.Curl\(\)\.setopt)$/,
    args: [0],
    named: ["url"]
  },
  {
    kind: URL,
    label,
    path: /^aiohttp\.(?:ClientSession\(\)|ClientSession)\.(?:get|post|put|patch|delete|head|options|ws_connect)$/,
    args: [0],
    named: ["url"]
  },
  {
    kind: URL,
    label,
    path: /^(?:urllib3\.PoolManager\(\)|aiohttp\.ClientSession\(\))\.request$/,
    args: [1],
    named: ["url"]
  },
  {
    kind: URL,
    label: CONNECTION,
    path: /^(?:http\.client\.HTTPS?Connection|httplib\.HTTPS?Connection|ftplib\.FTP|smtplib\.SMTP(?:_SSL)?|telnetlib\.Telnet|socket\.create_connection|asyncio\.open_connection)$/,
    args: [0],
    named: ["host"],
    elements: true
  }
]

const go: ReadonlyArray<SinkRule> = [
  {
    kind: URL,
    label,
    path: /^net\/http\.(?:(?:Client|DefaultClient)(?:\(\))?\.)?(?:Get|Head|Post|PostForm)$/,
    args: [0]
  },
  { kind: URL, label, path: /^net\/http\.NewRequest$/, args: [1] },
  { kind: URL, label, path: /^net\/http\.NewRequestWithContext$/, args: [2] },
  { kind: URL, label, path: /^net\/http\/httputil\.NewSingleHostReverseProxy$/, args: [0] },
  { kind: URL, label: CONNECTION, path: /^(?:net|crypto\/tls)\.(?:Dial|DialTimeout|DialTCP)$/, args: [1] }
]

const java: ReadonlyArray<SinkRule> = [
  { kind: URL, label, path: /(?:^|\.)(?:openStream|openConnection)$/, args: [RECEIVER] },
  {
    kind: URL,
    label,
    path: /RestTemplate(?:\(\))?\.(?:getFor\w+|postFor\w+|exchange|execute|put|delete|patchForObject|headForHeaders|optionsForAllow)$/,
    args: [0]
  },
  { kind: URL, label, path: /WebClient\b.*\.uri$|RestClient\b.*\.uri$/, args: [0] },
  { kind: URL, label, path: /WebClient\.(?:create|builder\(\)\.baseUrl)$/, args: [0] },
  { kind: URL, label, path: /HttpRequest\.(?:newBuilder|newBuilder\(\)\.uri)$/, args: [0] },
  { kind: URL, label, path: /(?:^|\.)Request\.Builder(?:\(\))?\.url$|^okhttp3\.Request\.Builder\b.*\.url$/, args: [0] },
  { kind: URL, label, path: /(?:^org\.apache\.(?:http|hc)\b.*\.|^)Http(?:Get|Post|Put|Delete|Head|Patch)$/, args: [0] },
  { kind: URL, label, path: /(?:^|\.)Jsoup\.connect$/, args: [0] },
  { kind: URL, label: CONNECTION, path: /^(?:java\.net\.)?Socket$/, args: [0] }
]

const php: ReadonlyArray<SinkRule> = [
  { kind: URL, label, path: /^\\?curl_init$/, args: [0] },
  {
    kind: URL,
    label,
    path: /^\\?curl_setopt$/,
    args: [2],
    when: ({ argument }) => argument(1) === "CURLOPT_URL"
  },
  {
    kind: URL,
    label,
    path: /^\\?(?:file_get_contents|fopen|readfile|copy|get_headers|getimagesize|simplexml_load_file)$/,
    args: [0]
  },
  { kind: URL, label, path: /^\\?wp_remote_(?:get|post|head|request)$/, args: [0] },
  {
    kind: URL,
    label,
    path: /GuzzleHttp\\Client(?:\(\))?\.(?:get|post|put|patch|delete|head)$|^Client\.(?:get|post)$/,
    args: [0]
  },
  { kind: URL, label, path: /GuzzleHttp\\Client(?:\(\))?\.request(?:Async)?$/, args: [1] },
  { kind: URL, label, path: /Facades\\Http\.(?:get|post|put|patch|delete|head)$|^Http\.(?:get|post)$/, args: [0] },
  { kind: URL, label: CONNECTION, path: /^\\?(?:p?fsockopen|stream_socket_client)$/, args: [0] }
]

export const urlSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubyUrls,
  csharp: csharpUrls
}

export const urlCalls: Partial<Record<RuleLanguage, string>> = {
  javascript:
    "\\b(?:fetch|axios|got|needle|request|superagent|ky)(?:\\.(?:get|post|put|patch|delete|head|request))?\\(|\\bhttps?\\.(?:get|request)\\(|\\.goto\\(|\\b(?:net|tls)\\.(?:connect|createConnection)\\(",
  python:
    "\\b(?:requests|httpx)\\.\\w+\\(|\\burl(?:open|retrieve)\\(|\\bHTTPS?Connection\\(|\\.request\\(|\\bClientSession\\(|create_connection\\(|open_connection\\(",
  go: "\\bhttp\\.(?:Get|Head|Post|PostForm|NewRequest|NewRequestWithContext)\\(|\\bNewSingleHostReverseProxy\\(|\\.Dial\\w*\\(",
  java: "\\.(?:openStream|openConnection|getForObject|getForEntity|postForObject|postForEntity|exchange|newBuilder)\\(|\\bnew (?:Http(?:Get|Post|Put|Delete|Head|Patch)|Socket)\\(",
  php: "\\bcurl_(?:init|setopt)\\s*\\(|\\bwp_remote_\\w+\\(|\\b(?:get_headers|getimagesize|fsockopen)\\s*\\(|\\bHttp::|->request\\("
}
