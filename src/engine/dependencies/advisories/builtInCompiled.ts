import type { BuiltIn } from "./builtInNpmPython.ts"

const log4jCore = "org.apache.logging.log4j:log4j-core"

/** Maven, Go, NuGet and crates.io. */
export const compiledAdvisories: ReadonlyArray<BuiltIn> = [
  [
    "Maven",
    log4jCore,
    "GHSA-jfh8-c2jp-5v3q",
    "CVE-2021-44228",
    "critical",
    "Log4Shell: remote code execution through logged text",
    "2.0-beta9..2.3.1 2.4..2.12.2 2.13.0..2.15.0"
  ],
  [
    "Maven",
    log4jCore,
    "GHSA-7rjr-3q55-vv33",
    "CVE-2021-45046",
    "critical",
    "Incomplete fix of Log4Shell",
    "2.0-beta9..2.3.1 2.4..2.12.2 2.13.0..2.16.0"
  ],
  [
    "Maven",
    "org.springframework:spring-beans org.springframework:spring-webmvc org.springframework:spring-webflux",
    "GHSA-36p3-wjmg-h94x",
    "CVE-2022-22965",
    "critical",
    "Spring4Shell: remote code execution through data binding",
    "0..5.2.20.RELEASE 5.3.0..5.3.18"
  ],
  [
    "Maven",
    "org.springframework.cloud:spring-cloud-function-context",
    "GHSA-6v73-fgf6-w5j7",
    "CVE-2022-22963",
    "critical",
    "Remote code execution through a routing expression",
    "0..3.1.7 3.2.0..3.2.3"
  ],
  [
    "Maven",
    "org.apache.commons:commons-text",
    "GHSA-599f-7c49-w659",
    "CVE-2022-42889",
    "critical",
    "Text4Shell: remote code execution through interpolation",
    "1.5..1.10.0"
  ],
  [
    "Maven",
    "com.alibaba:fastjson",
    "GHSA-pv7h-hx5h-mgfj",
    "CVE-2022-25845",
    "high",
    "Deserialization of untrusted data past the autoType limits",
    "0..1.2.83"
  ],
  [
    "Maven",
    "org.apache.struts:struts2-core",
    "GHSA-j77q-2qqg-6989",
    "CVE-2017-5638",
    "critical",
    "Remote code execution through the Content-Type header",
    "2.3.5..2.3.32 2.5.0..2.5.10.1"
  ],
  [
    "Maven",
    "org.apache.struts:struts2-core",
    "GHSA-2j39-qcjm-428w",
    "CVE-2023-50164",
    "critical",
    "Path traversal in uploads that leads to code execution",
    "0..2.5.33 6.0.0..6.3.0.2"
  ],
  [
    "Maven",
    "com.fasterxml.jackson.core:jackson-databind",
    "GHSA-57j2-w4cx-62h2",
    "CVE-2020-36518",
    "high",
    "Deeply nested input overflows the stack",
    "0..2.12.6.1 2.13.0..2.13.2.1"
  ],
  [
    "Maven",
    "org.yaml:snakeyaml",
    "GHSA-mjmj-j48q-9wg2",
    "CVE-2022-1471",
    "high",
    "Code execution when loading untrusted YAML",
    "0..2.0"
  ],
  [
    "Maven",
    "com.h2database:h2",
    "GHSA-h376-j262-vhq6",
    "CVE-2021-42392",
    "critical",
    "Remote code execution through a JNDI name",
    "1.1.100..2.0.206"
  ],
  [
    "Maven",
    "com.thoughtworks.xstream:xstream",
    "GHSA-j9h8-phrw-h4fh",
    "CVE-2021-39144",
    "high",
    "Remote command execution when unmarshalling",
    "0..1.4.18"
  ],
  [
    "Maven",
    "org.postgresql:postgresql",
    "GHSA-24rp-q3w6-vc56",
    "CVE-2024-1597",
    "critical",
    "SQL injection in the simple query mode",
    "0..42.2.28 42.3.0..42.3.9 42.4.0..42.4.4 42.5.0..42.5.5 42.6.0..42.6.1 42.7.0..42.7.2"
  ],
  [
    "Go",
    "golang.org/x/net",
    "GO-2023-2102",
    "CVE-2023-39325",
    "high",
    "HTTP/2 rapid reset exhausts the server",
    "0..0.17.0",
    ["golang.org/x/net/http2"],
    ["ConfigureServer", "Server.ServeConn"]
  ],
  [
    "Go",
    "golang.org/x/net",
    "GO-2024-2687",
    "CVE-2023-45288",
    "moderate",
    "HTTP/2 continuation frames exhaust the server",
    "0..0.23.0",
    ["golang.org/x/net/http2"]
  ],
  [
    "Go",
    "golang.org/x/crypto",
    "GHSA-45x7-px36-x8w8",
    "CVE-2023-48795",
    "moderate",
    "Terrapin: the beginning of an SSH session can be truncated",
    "0..0.17.0",
    ["golang.org/x/crypto/ssh"]
  ],
  [
    "Go",
    "golang.org/x/crypto",
    "GHSA-v778-237x-gjrc",
    "CVE-2024-45337",
    "critical",
    "Authorization bypass through misused SSH public keys",
    "0..0.31.0",
    ["golang.org/x/crypto/ssh"],
    ["NewServerConn", "ServerConfig.PublicKeyCallback"]
  ],
  [
    "Go",
    "golang.org/x/text",
    "GHSA-69ch-w2m2-3vjp",
    "CVE-2022-32149",
    "high",
    "Parsing Accept-Language headers takes very long",
    "0..0.3.8",
    ["golang.org/x/text/language"],
    ["MatchStrings", "ParseAcceptLanguage"]
  ],
  [
    "Go",
    "github.com/gin-gonic/gin",
    "GHSA-h395-qcrw-5vmq",
    "CVE-2020-28483",
    "high",
    "The client's address can be spoofed by a header",
    "0..1.7.7"
  ],
  [
    "Go",
    "github.com/dgrijalva/jwt-go",
    "GHSA-w73w-5m7g-f7qc",
    "CVE-2020-26160",
    "high",
    "The audience of a token can be left unchecked",
    "0..4.0.0-preview1"
  ],
  [
    "Go",
    "google.golang.org/grpc",
    "GHSA-m425-mq94-257g",
    "",
    "high",
    "HTTP/2 rapid reset exhausts the server",
    "0..1.56.3 1.57.0..1.57.1 1.58.0..1.58.3",
    ["google.golang.org/grpc"],
    ["NewServer"]
  ],
  [
    "NuGet",
    "Newtonsoft.Json",
    "GHSA-5crp-9r3c-p9vr",
    "CVE-2024-21907",
    "high",
    "Deeply nested input overflows the stack",
    "0..13.0.1"
  ],
  [
    "NuGet",
    "log4net",
    "GHSA-2cwj-8chv-9pp9",
    "CVE-2018-1285",
    "critical",
    "XML external entities in its configuration",
    "0..2.0.10"
  ],
  [
    "NuGet",
    "System.Text.Encodings.Web",
    "GHSA-ghhp-997w-qr28",
    "CVE-2021-26701",
    "critical",
    "Remote code execution through text encoding",
    "4.0.0..4.5.1 4.6.0..4.7.2 5.0.0..5.0.1"
  ],
  [
    "NuGet",
    "System.Text.RegularExpressions",
    "GHSA-cmhx-cq75-c4mj",
    "CVE-2019-0820",
    "high",
    "Regular expressions take very long",
    "4.3.0..4.3.1"
  ],
  [
    "NuGet",
    "System.Data.SqlClient",
    "GHSA-98g6-xh36-x2p7",
    "CVE-2024-0056",
    "high",
    "Encryption of the connection can be bypassed",
    "0..4.8.6"
  ],
  [
    "crates.io",
    "regex",
    "RUSTSEC-2022-0013",
    "CVE-2022-24713",
    "high",
    "Untrusted expressions take very long to parse",
    "0..1.5.5"
  ],
  [
    "crates.io",
    "time",
    "RUSTSEC-2020-0071",
    "CVE-2020-26235",
    "moderate",
    "Reading the local time zone can crash the process",
    "0.1.0..0.2.0 0.2.7..0.2.23"
  ],
  [
    "crates.io",
    "chrono",
    "RUSTSEC-2020-0159",
    "",
    "moderate",
    "Reading the local time zone can crash the process",
    "0..0.4.20"
  ],
  [
    "crates.io",
    "hyper",
    "RUSTSEC-2021-0079",
    "CVE-2021-32714",
    "critical",
    "Request smuggling through large chunk sizes",
    "0..0.14.10"
  ],
  [
    "crates.io",
    "tokio",
    "GHSA-fg7r-2g4j-5cgr",
    "CVE-2021-45710",
    "high",
    "Data race when a oneshot channel is dropped",
    "0.1.14..1.8.4 1.9.0..1.13.1"
  ],
  [
    "crates.io",
    "smallvec",
    "RUSTSEC-2021-0003",
    "CVE-2021-25900",
    "critical",
    "Buffer overflow in insert_many",
    "0.6.3..0.6.14 1.0.0..1.6.1"
  ],
  [
    "crates.io",
    "rustdecimal",
    "RUSTSEC-2022-0042",
    "",
    "malicious",
    "Imitates rust_decimal and downloads malware",
    "0.."
  ]
]
