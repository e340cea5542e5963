import { RECEIVER } from "../../TaintLanguage.ts"
import { PATH } from "../../values/Value.ts"
import { FILE, SERVED } from "../labels.ts"
import type { Model } from "../Model.ts"

export const files: Model = {
  name: "files",
  mentions:
    /\b(?:File|Directory|ZipFile|WebRequest|HttpWebRequest|CSharpScript|Assembly|Type|Activator|MvcHtmlString|Html|Response|Results)\.\w+(?:<[^<>()]{0,80}>)?\(|\bnew (?:FileStream|StreamWriter|PhysicalFileResult|HttpRequestMessage|RestClient|TcpClient|RedirectResult|HtmlString|MarkupString)\(|(?<![.\w])File\(|\b(?:PhysicalFile|Redirect\w*|Content|TransmitFile|WriteFile|ExtractToFile|SaveAs|RunCompile|Deserialize\w*|\w+Async|Download\w+)(?:<[^<>()]{0,80}>)?\(/,
  sinks: [
    {
      kind: PATH,
      label: FILE,
      path: /^(?:System\.IO\.)?File\.(?:Read\w+|Open\w*|Create\w*|Write\w+|Append\w+|Delete|SetAttributes|Exists|GetAttributes|GetLastWriteTime)$/,
      args: [0]
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:System\.IO\.)?(?:File\.(?:Copy|Move|Replace)|Directory\.Move)$/,
      args: [0, 1]
    },
    {
      kind: PATH,
      label: FILE,
      path: /^(?:System\.IO\.)?Directory\.(?:Get\w+|Enumerate\w+|Delete|CreateDirectory|Exists)$/,
      args: [0]
    },
    { kind: PATH, label: FILE, path: /^(?:System\.IO\.)?(?:FileStream|StreamWriter)$/, args: [0] },
    { kind: PATH, label: FILE, path: /^ZipFile\.(?:OpenRead|Open|ExtractToDirectory)$/, args: [0, 1] },
    { kind: PATH, label: FILE, path: /\.(?:ExtractToFile|SaveAs)$/, args: [0] },
    {
      kind: PATH,
      label: FILE,
      path: /FileInfo(?:\(\))?\.(?:Open\w*|Delete|Create\w*|CopyTo|MoveTo|AppendText)$/,
      args: [RECEIVER]
    },
    { kind: PATH, label: SERVED, path: /^(?:Typed)?Results\.(?:File|PhysicalFile)$/, args: [0] },
    {
      kind: PATH,
      label: SERVED,
      path: /^File$/,
      args: [0],
      // With Core it is a path below the folder that is served.
      when: ({ file }) => /\bSystem\.Web\.Mvc\b/.test(file())
    },
    {
      kind: PATH,
      label: SERVED,
      path: /^(?:PhysicalFile|PhysicalFileResult)$|(?:^|\.)(?:TransmitFile|WriteFile|SendFileAsync)$/,
      args: [0]
    }
  ]
}
