import type { Model } from "../Model.ts"

/** What a .NET program is started with, and what it reads. */
export const system: Model = {
  name: "system",
  mentions: /\bMain\s*\(\s*string\b|\bConsole\.Read|\bGetCommandLineArgs\(|\bZip(?:File|Archive)\b|Trigger\s*[(\]]/,
  sources: [
    { kind: "arguments", path: /^arguments:main$|^(?:System\.)?Environment\.GetCommandLineArgs\(\)$/ },
    {
      kind: "environment",
      path: /^(?:System\.)?Environment\.(?:GetEnvironmentVariables?|ExpandEnvironmentVariables)\(\)$/
    },
    { kind: "stdin", path: /^(?:System\.)?Console\.(?:ReadLine\(\)|In)$/ },
    { kind: "socket", path: /^(?:System\.Net\.Sockets\.)?TcpClient(?:\(\))?\.GetStream\(\)$/ },
    { kind: "message", path: /^message:trigger$/ },
    {
      kind: "file",
      path: /^(?:System\.IO\.)?File\.Read\w+\(\)$|^(?:ZipFile|ZipArchive)\b.*\.(?:FullName|Name)$|^ZipArchiveEntry\.(?:FullName|Name)$/
    },
    { kind: "database", path: /(?:DataReader|ExecuteReader\(\))\.(?:GetString|GetValue)\(\)$/ }
  ]
}
