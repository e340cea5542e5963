import type { Model } from "../Model.ts"

/** What a Java program is started with, and what it reads. */
export const system: Model = {
  name: "system",
  mentions:
    /\bvoid\s+main\s*\(|\bSystem\.in\b|\b(?:Server)?Socket\b|\b(?:Zip|Jar|Archive)Entry\b|ArchiveEntry\b|@(?:Kafka|Rabbit|Jms|Sqs)Listener\b/,
  sources: [
    { kind: "arguments", path: /^arguments:main$/ },
    { kind: "environment", path: /^(?:java\.lang\.)?System\.(?:getenv|getProperty)\(\)$/ },
    { kind: "stdin", path: /^(?:java\.lang\.)?System\.(?:in|console\(\)\.readLine\(\))$/ },
    {
      kind: "socket",
      path: /^(?:java\.net\.)?(?:Socket|ServerSocket\.accept\(\)|(?:javax\.net\.ssl\.)?SSLSocket)(?:\(\))?\.getInputStream\(\)$|(?:openConnection|URLConnection|HttpURLConnection)(?:\(\))?\.getInputStream\(\)$/
    },
    {
      kind: "message",
      path: /^(?:(?:javax|jakarta)\.jms\.)?(?:TextMessage\.getText|BytesMessage\.readUTF|ObjectMessage\.getObject)\(\)$/
    },
    {
      kind: "file",
      path: /^(?:java\.nio\.file\.)?Files\.(?:readString|readAllLines|readAllBytes|lines|newBufferedReader)\(\)$|^(?:java\.io\.)?(?:FileReader|FileInputStream)\(\)$|^(?:java\.util\.)?Properties(?:\(\))?\.getProperty\(\)$|^(?:[\w.]+\.)?(?:Zip|Jar|TarArchive|ZipArchive|Archive|SevenZArchive)Entry\.getName\(\)$|[\w.]*InputStream(?:\(\))?\.getNext\w*Entry\(\)\.getName\(\)$|[\w.]*(?:Zip|Jar)File(?:\(\))?\.entries\(\)\.nextElement\(\)\.getName\(\)$/
    },
    { kind: "database", path: /(?:^java\.sql\.ResultSet|executeQuery\(\))\.get(?:String|Object|NString)\(\)$/ }
  ],
  propagators: [
    { path: /^(?:java\.util\.)?Scanner$|^(?:java\.io\.)?(?:DataInputStream|LineNumberReader|PushbackReader)$/ }
  ]
}
