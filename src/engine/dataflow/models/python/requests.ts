import { URL } from "../../values/Value.ts"
import { CONNECTION, REQUEST } from "../labels.ts"
import type { Model } from "../Model.ts"

export const requests: Model = {
  name: "requests",
  mentions:
    /\b(?:requests|httpx)\.\w+\(|\burl(?:open|retrieve)\(|\bHTTPS?Connection\(|\.request\(|\bClientSession\(|create_connection\(|open_connection\(/,
  sinks: [
    {
      kind: URL,
      label: REQUEST,
      path: /^(?:requests|httpx)(?:\.(?:Session|session|Client|AsyncClient)\(\))?\.(?:get|post|put|patch|delete|head|options)$/,
      args: [0],
      named: ["url"]
    },
    {
      kind: URL,
      label: REQUEST,
      path: /^(?:requests|httpx)(?:\.(?:Session|session|Client|AsyncClient)\(\))?\.(?:request|stream)$/,
      args: [1],
      named: ["url"]
    },
    {
      kind: URL,
      label: REQUEST,
      path: /^(?:urllib\.request\.(?:urlopen|Request|urlretrieve)|urllib2\.(?:urlopen|Request)|urllib\.(?:urlopen|urlretrieve)|six\.moves\.urllib\.request\.\w+|wget\.download|feedparser\.parse|pycurl\.Curl\(\)\.setopt)$/,
      args: [0],
      named: ["url"]
    },
    {
      kind: URL,
      label: REQUEST,
      path: /^aiohttp\.(?:ClientSession\(\)|ClientSession)\.(?:get|post|put|patch|delete|head|options|ws_connect)$/,
      args: [0],
      named: ["url"]
    },
    {
      kind: URL,
      label: REQUEST,
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
}
