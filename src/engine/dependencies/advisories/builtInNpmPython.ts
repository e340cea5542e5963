import type { Ecosystem } from "../lockfiles/LockedPackage.ts"
import type { Severity } from "./Advisory.ts"

/**
 * Ecosystem, packages, id, alias, level, summary, affected versions as `builtIn` reads them, import paths of the parts that
 * the weakness is in, and the functions and types through which code reaches it.
 */
export type BuiltIn = readonly [
  Ecosystem,
  string,
  string,
  string,
  Severity | "malicious",
  string,
  string,
  ReadonlyArray<string>?,
  ReadonlyArray<string>?
]

export const npmAdvisories: ReadonlyArray<BuiltIn> = [
  [
    "npm",
    "lodash",
    "GHSA-35jh-r3h4-6jhm",
    "CVE-2021-23337",
    "high",
    "Command injection through template()",
    "0..4.17.21"
  ],
  [
    "npm",
    "lodash",
    "GHSA-jf85-cpcp-j695",
    "CVE-2019-10744",
    "critical",
    "Prototype pollution in defaultsDeep()",
    "0..4.17.12"
  ],
  [
    "npm",
    "minimist",
    "GHSA-xvch-5gv4-984h",
    "CVE-2021-44906",
    "critical",
    "Prototype pollution",
    "0..0.2.4 1.0.0..1.2.6"
  ],
  [
    "npm",
    "axios",
    "GHSA-4w2v-q235-vp99",
    "CVE-2020-28168",
    "moderate",
    "Server-side request forgery through redirects past a proxy",
    "0..0.21.1"
  ],
  ["npm", "axios", "GHSA-cph5-m8f7-6c5x", "CVE-2021-3749", "high", "Regular expression denial of service", "0..0.21.2"],
  [
    "npm",
    "axios",
    "GHSA-wf5p-g6vw-rhxx",
    "CVE-2023-45857",
    "moderate",
    "Sends the XSRF token to any host",
    "0.8.1..0.28.0 1.0.0..1.6.0"
  ],
  [
    "npm",
    "jsonwebtoken",
    "GHSA-c7hr-j4mj-j2w6",
    "CVE-2015-9235",
    "critical",
    "Verification can be bypassed with another algorithm",
    "0..4.2.2"
  ],
  [
    "npm",
    "jsonwebtoken",
    "GHSA-qwph-4952-7xr6",
    "CVE-2022-23540",
    "moderate",
    "Unsigned tokens are accepted where no algorithm is named",
    "0..9.0.0"
  ],
  [
    "npm",
    "json5",
    "GHSA-9c47-m6qq-7p4h",
    "CVE-2022-46175",
    "high",
    "Prototype pollution in parse()",
    "0..1.0.2 2.0.0..2.2.2"
  ],
  [
    "npm",
    "semver",
    "GHSA-c2qf-rxjj-qqgw",
    "CVE-2022-25883",
    "high",
    "Regular expression denial of service",
    "0..5.7.2 6.0.0..6.3.1 7.0.0..7.5.2"
  ],
  ["npm", "braces", "GHSA-grv7-fg5c-xmjg", "CVE-2024-4068", "high", "Uncontrolled resource consumption", "0..3.0.3"],
  [
    "npm",
    "ws",
    "GHSA-3h5v-q93c-6h6q",
    "CVE-2024-37890",
    "high",
    "A request with many headers crashes the server",
    "2.1.0..5.2.4 6.0.0..6.2.3 7.0.0..7.5.10 8.0.0..8.17.1"
  ],
  [
    "npm",
    "follow-redirects",
    "GHSA-74fj-2j2h-c42q",
    "CVE-2022-0155",
    "high",
    "Sends cookies to other hosts on redirects",
    "0..1.14.7"
  ],
  [
    "npm",
    "node-fetch",
    "GHSA-r683-j2x4-v87g",
    "CVE-2022-0235",
    "high",
    "Sends secure headers to other sites on redirects",
    "0..2.6.7 3.0.0..3.1.1"
  ],
  [
    "npm",
    "handlebars",
    "GHSA-f2jv-r9rf-7988",
    "CVE-2021-23369",
    "critical",
    "Remote code execution when compiling untrusted templates",
    "0..4.7.7"
  ],
  [
    "npm",
    "serialize-javascript",
    "GHSA-hxcc-f52p-wc94",
    "CVE-2020-7660",
    "high",
    "Code injection through crafted objects",
    "0..3.1.0"
  ],
  [
    "npm",
    "shell-quote",
    "GHSA-g4rg-993r-mgx7",
    "CVE-2021-42740",
    "critical",
    "Command injection through unescaped metacharacters",
    "1.6.3..1.7.3"
  ],
  [
    "npm",
    "qs",
    "GHSA-hrpp-h998-j3pp",
    "CVE-2022-24999",
    "high",
    "Prototype poisoning that hangs the process",
    "0..6.2.4 6.3.0..6.3.3 6.4.0..6.4.1 6.5.0..6.5.3 6.6.0..6.6.1 6.7.0..6.7.3 6.8.0..6.8.3 6.9.0..6.9.7 6.10.0..6.10.3"
  ],
  [
    "npm",
    "moment",
    "GHSA-8hfj-j24r-96c4",
    "CVE-2022-24785",
    "high",
    "Path traversal through the name of a locale",
    "1.0.1..2.29.2"
  ],
  [
    "npm",
    "jquery",
    "GHSA-gxr4-xjj5-5px2",
    "CVE-2020-11022",
    "moderate",
    "Cross-site scripting through HTML manipulation methods",
    "1.2.0..3.5.0"
  ],
  ["npm", "vm2", "GHSA-cchq-frgv-rjh5", "CVE-2023-37466", "critical", "The sandbox can be left", "0..=3.9.19"],
  [
    "npm",
    "event-stream",
    "GHSA-mh6f-8j2x-4483",
    "",
    "malicious",
    "Steals cryptocurrency wallets through a dependency",
    "=3.3.6"
  ],
  [
    "npm",
    "ua-parser-js",
    "GHSA-pjwm-rvh2-c87w",
    "",
    "malicious",
    "Releases by an attacker install a miner and steal passwords",
    "=0.7.29 =0.8.0 =1.0.0"
  ],
  [
    "npm",
    "coa",
    "GHSA-73qr-pfmq-6rp8",
    "",
    "malicious",
    "Releases by an attacker install malware",
    "=2.0.3 =2.0.4 =2.1.1 =2.1.3 =3.0.1 =3.1.3"
  ],
  [
    "npm",
    "rc",
    "GHSA-g2q5-5433-rhrf",
    "",
    "malicious",
    "Releases by an attacker install malware",
    "=1.2.9 =1.3.9 =2.3.9"
  ],
  [
    "npm",
    "node-ipc",
    "GHSA-97m3-w2cp-4xx6",
    "CVE-2022-23812",
    "malicious",
    "Overwrites files on machines in some countries",
    "10.1.1..10.1.3"
  ],
  [
    "npm",
    "colors",
    "GHSA-5rqg-jm4f-cqx7",
    "CVE-2021-23567",
    "high",
    "An endless loop put in by its author",
    "=1.4.1 =1.4.2 =1.4.44-liberty-2"
  ],
  [
    "npm",
    "faker",
    "GHSA-5w9c-rv96-fr7g",
    "",
    "high",
    "A release without its functions, put out by its author",
    "=6.6.6"
  ]
]

export const pythonAdvisories: ReadonlyArray<BuiltIn> = [
  [
    "PyPI",
    "django",
    "GHSA-2gwj-7jmv-h26r",
    "CVE-2022-28346",
    "critical",
    "SQL injection through column aliases",
    "2.2..2.2.28 3.2..3.2.13 4.0..4.0.4"
  ],
  [
    "PyPI",
    "django",
    "GHSA-xpfp-f569-q3p2",
    "CVE-2021-35042",
    "critical",
    "SQL injection through order_by()",
    "3.1..3.1.13 3.2..3.2.5"
  ],
  [
    "PyPI",
    "flask",
    "GHSA-m2qf-hxjv-5gpq",
    "CVE-2023-30861",
    "high",
    "Session cookies can be cached by a proxy and sent to others",
    "0..2.2.5 2.3.0..2.3.2"
  ],
  [
    "PyPI",
    "requests",
    "GHSA-x84v-xcm2-53pg",
    "CVE-2018-18074",
    "high",
    "Sends credentials on a redirect from https to http",
    "0..2.20.0"
  ],
  [
    "PyPI",
    "requests",
    "GHSA-j8r2-6x86-q33q",
    "CVE-2023-32681",
    "moderate",
    "Sends Proxy-Authorization headers to the destination",
    "2.3.0..2.31.0"
  ],
  [
    "PyPI",
    "pyyaml",
    "GHSA-8q59-q68h-6hv4",
    "CVE-2020-14343",
    "critical",
    "Arbitrary code execution when loading untrusted YAML",
    "0..5.4"
  ],
  [
    "PyPI",
    "jinja2",
    "GHSA-462w-v97r-4m45",
    "CVE-2019-10906",
    "high",
    "The sandbox can be left through str.format_map",
    "0..2.10.1"
  ],
  [
    "PyPI",
    "jinja2",
    "GHSA-h5c8-rqwp-cp95",
    "CVE-2024-22195",
    "moderate",
    "Cross-site scripting through the xmlattr filter",
    "0..3.1.3"
  ],
  [
    "PyPI",
    "pillow",
    "GHSA-j7hp-h8jx-5ppr",
    "CVE-2023-4863",
    "high",
    "Heap overflow in the bundled libwebp",
    "0..10.0.1"
  ],
  [
    "PyPI",
    "pillow",
    "GHSA-3f63-hfp8-52jq",
    "CVE-2023-50447",
    "critical",
    "Arbitrary code execution through ImageMath.eval",
    "0..10.2.0"
  ],
  [
    "PyPI",
    "urllib3",
    "GHSA-v845-jxx5-vc9f",
    "CVE-2023-43804",
    "high",
    "Sends Cookie headers to other hosts on redirects",
    "0..1.26.17 2.0.0..2.0.6"
  ],
  [
    "PyPI",
    "werkzeug",
    "GHSA-xg9f-g7g7-2323",
    "CVE-2023-25577",
    "high",
    "Multipart forms with many parts exhaust the server",
    "0..2.2.3"
  ],
  [
    "PyPI",
    "certifi",
    "GHSA-xqr8-7jwr-rhp7",
    "CVE-2023-37920",
    "high",
    "Trusts the withdrawn root certificates of e-Tugra",
    "2015.4.28..2023.7.22"
  ],
  [
    "PyPI",
    "aiohttp",
    "GHSA-5h86-8mv2-jq9f",
    "CVE-2024-23334",
    "high",
    "Path traversal in static routes that follow links",
    "1.0.5..3.9.2"
  ],
  [
    "PyPI",
    "gunicorn",
    "GHSA-w3h3-4rj7-4ph4",
    "CVE-2024-1135",
    "high",
    "Request smuggling through Transfer-Encoding",
    "0..22.0.0"
  ]
]
