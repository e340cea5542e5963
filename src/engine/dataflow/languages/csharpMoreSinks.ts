import { RECEIVER, type SinkRule } from "../TaintLanguage.ts"
import { CODE, HTML, PATH, REDIRECT, TEMPLATE, URL } from "../values/Value.ts"
import { ANSWER, CONNECTION, FILE, MODULE, REQUEST, RUN, SENT, SERVED, TEMPLATES, TRUSTED } from "./labels.ts"

export const csharpPaths: ReadonlyArray<SinkRule> = [
  {
    kind: PATH,
    label: FILE,
    path: /^(?:System\.IO\.)?File\.(?:Read\w+|Open\w*|Create\w*|Write\w+|Append\w+|Delete|SetAttributes)$/,
    args: [0]
  },
  { kind: PATH, label: FILE, path: /^(?:System\.IO\.)?(?:File\.(?:Copy|Move|Replace)|Directory\.Move)$/, args: [0, 1] },
  {
    kind: PATH,
    label: FILE,
    path: /^(?:System\.IO\.)?Directory\.(?:Get\w+|Enumerate\w+|Delete|CreateDirectory)$/,
    args: [0]
  },
  { kind: PATH, label: FILE, path: /^(?:System\.IO\.)?(?:FileStream|StreamWriter)$/, args: [0] },
  { kind: PATH, label: FILE, path: /^ZipFile\.(?:OpenRead|Open|ExtractToDirectory)$/, args: [0, 1] },
  { kind: PATH, label: FILE, path: /\.ExtractToFile$/, args: [0] },
  {
    kind: PATH,
    label: FILE,
    path: /FileInfo(?:\(\))?\.(?:Open\w*|Delete|Create\w*|CopyTo|MoveTo|AppendText)$/,
    args: [RECEIVER]
  },
  {
    kind: PATH,
    label: SERVED,
    path: /^(?:PhysicalFile|PhysicalFileResult|Results\.PhysicalFile)$|(?:^|\.)(?:TransmitFile|WriteFile|SendFileAsync)$/,
    args: [0]
  }
]

export const csharpUrls: ReadonlyArray<SinkRule> = [
  {
    kind: URL,
    label: REQUEST,
    path: /(?:HttpClient|CreateClient)(?:\(\))?\.(?:Get|Post|Put|Patch|Delete)\w*Async$/,
    args: [0]
  },
  {
    kind: URL,
    label: REQUEST,
    path: /WebClient(?:\(\))?\.(?:Download\w+|OpenRead\w*|Upload\w+)$|^(?:Http)?WebRequest\.Create(?:Http)?$|^RestClient$|^FlurlClient$/,
    args: [0]
  },
  { kind: URL, label: REQUEST, path: /^HttpRequestMessage$/, args: [1] },
  { kind: URL, label: CONNECTION, path: /^TcpClient$|TcpClient(?:\(\))?\.Connect(?:Async)?$/, args: [0] }
]

export const csharpCode: ReadonlyArray<SinkRule> = [
  { kind: CODE, label: RUN, path: /^CSharpScript\.(?:EvaluateAsync|RunAsync|Create)$/, args: [0] },
  { kind: CODE, label: RUN, path: /^(?:Jint\.)?Engine(?:\(\))?\.(?:Execute|Evaluate)$/, args: [0] },
  {
    kind: CODE,
    label: MODULE,
    path: /^Assembly\.(?:Load|LoadFrom|LoadFile|UnsafeLoadFrom)$|^Type\.GetType$|^Activator\.CreateInstance$/,
    args: [0]
  },
  {
    kind: TEMPLATE,
    label: TEMPLATES,
    path: /(?:Engine\.Razor|RazorEngine\w*(?:\(\))?)\.(?:RunCompile|Compile|Parse|CompileAsync)$|^(?:Scriban\.)?Template\.(?:Parse|ParseLiquid)$/,
    args: [0]
  }
]

export const csharpHtml: ReadonlyArray<SinkRule> = [
  {
    kind: HTML,
    label: TRUSTED,
    path: /(?:^|\.)Html\.Raw$|^(?:HtmlString|MarkupString)$|^MvcHtmlString\.Create$/,
    args: [0]
  },
  {
    kind: HTML,
    label: ANSWER,
    path: /^(?:Content|Results\.(?:Content|Text))$/,
    args: [0],
    when: ({ literal, argument }) => /html/i.test(literal(1) ?? argument(1))
  },
  {
    kind: HTML,
    label: SENT,
    path: /^(?:http:aspnetcontext\.)?Response\.(?:Write|WriteAsync)$/,
    args: [0],
    text: /<[a-zA-Z!/]/
  }
]

export const csharpRedirects: ReadonlyArray<SinkRule> = [
  {
    kind: REDIRECT,
    label: "a redirect",
    path: /^(?:Redirect|RedirectPermanent|RedirectPreserveMethod|RedirectResult|Results\.Redirect)$|^(?:http:aspnetcontext\.)?Response\.Redirect$/,
    args: [0]
  }
]

export const csharpCalls =
  "\\b(?:File|Directory|ZipFile|WebRequest|HttpWebRequest|CSharpScript|Assembly|Type|Activator|MvcHtmlString|Html|Response|Results)\\.\\w+(?:<[^<>()]{0,80}>)?\\(|\\bnew (?:FileStream|StreamWriter|PhysicalFileResult|HttpRequestMessage|RestClient|TcpClient|RedirectResult|HtmlString|MarkupString)\\(|\\b(?:PhysicalFile|Redirect\\w*|Content|TransmitFile|WriteFile|ExtractToFile|RunCompile|Deserialize\\w*|\\w+Async|Download\\w+)(?:<[^<>()]{0,80}>)?\\("
