import type { BuiltIn } from "./builtInNpmPython.ts"

export const rubyPhpAdvisories: ReadonlyArray<BuiltIn> = [
  [
    "RubyGems",
    "actionview",
    "GHSA-86g5-2wh3-gc9j",
    "CVE-2019-5418",
    "high",
    "Reads any file through an Accept header",
    "0..4.2.11.1 5.0.0..5.0.7.2 5.1.0..5.1.6.2 5.2.0..5.2.2.1"
  ],
  [
    "RubyGems",
    "activesupport",
    "GHSA-2p68-f74v-9wc6",
    "CVE-2020-8165",
    "critical",
    "Unmarshals untrusted data in caches",
    "0..5.2.4.3 6.0.0..6.0.3.1"
  ],
  [
    "RubyGems",
    "activerecord",
    "GHSA-3hhc-qp5v-9p2j",
    "CVE-2022-32224",
    "critical",
    "Code execution through serialized columns",
    "0..5.2.8.1 6.0.0..6.0.5.1 6.1.0..6.1.6.1 7.0.0..7.0.3.1"
  ],
  [
    "RubyGems",
    "nokogiri",
    "GHSA-crjr-9rc5-ghw8",
    "CVE-2022-24836",
    "high",
    "Regular expression denial of service when guessing an encoding",
    "0..1.13.4"
  ],
  [
    "RubyGems",
    "rack",
    "GHSA-wq4h-7r42-5hrr",
    "CVE-2022-30123",
    "critical",
    "Shell escape sequences get into logs",
    "0..2.0.9.1 2.1.0..2.1.4.1 2.2.0..2.2.3.1"
  ],
  [
    "RubyGems",
    "rest-client",
    "GHSA-333g-rpr4-7hxq",
    "CVE-2019-15224",
    "malicious",
    "Releases by an attacker run code from elsewhere",
    "=1.6.10 =1.6.11 =1.6.12 =1.6.13"
  ],
  [
    "Packagist",
    "guzzlehttp/guzzle",
    "GHSA-25mq-v84q-4j7r",
    "CVE-2022-31090",
    "high",
    "Sends the Authorization header to other origins",
    "4.0.0..6.5.8 7.0.0..7.4.5"
  ],
  [
    "Packagist",
    "guzzlehttp/psr7",
    "GHSA-q7rv-6hp3-vh96",
    "CVE-2022-24775",
    "high",
    "Headers with line breaks are accepted",
    "0..1.8.4 2.0.0..2.1.1"
  ],
  [
    "Packagist",
    "laravel/framework",
    "GHSA-3p32-j457-pg5x",
    "CVE-2021-21263",
    "high",
    "Unexpected bindings in the query builder",
    "0..6.20.11 7.0.0..7.30.2 8.0.0..8.22.1"
  ],
  [
    "Packagist",
    "symfony/http-kernel",
    "GHSA-754h-5r27-7x3r",
    "CVE-2020-15094",
    "high",
    "Code execution through cached responses of an HTTP client",
    "4.3.0..4.4.13 5.0.0..5.1.5"
  ],
  [
    "Packagist",
    "phpmailer/phpmailer",
    "GHSA-5f37-gxvh-23v6",
    "CVE-2016-10033",
    "critical",
    "Remote code execution through the sender's address",
    "0..5.2.18"
  ],
  [
    "Packagist",
    "phpunit/phpunit",
    "GHSA-r7c9-c69m-rph8",
    "CVE-2017-9841",
    "critical",
    "Remote code execution where vendor/ is served",
    "4.8.19..4.8.28 5.0.10..5.6.3"
  ],
  [
    "Packagist",
    "twig/twig",
    "GHSA-52m2-vc4m-jj33",
    "CVE-2022-39261",
    "high",
    "Path traversal in the file system loader",
    "1.0.0..1.44.7 2.0.0..2.15.3 3.0.0..3.4.3"
  ]
]
