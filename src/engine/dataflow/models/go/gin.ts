import type { Model } from "../Model.ts"

const binders = "(?:Bind|ShouldBind\\w*|BindJSON|BindQuery|BindUri|BindHeader)"

export const gin: Model = {
  name: "gin",
  mentions: /\bgin\.Context\b/,
  sources: [
    {
      kind: "request",
      path: /^http:gin\.(?:Param|Query|DefaultQuery|PostForm|DefaultPostForm|GetHeader|GetQuery|QueryArray|GetPostForm|PostFormArray|Cookie|QueryMap|PostFormMap|GetRawData|FullPath)\(\)$|^http:gin\.Request\.(?:Body|Header|Form|URL\.(?:Path|RawQuery|Query\(\))|RequestURI)$|^http:gin\.Params$/
    },
    { kind: "request", path: new RegExp(`^http:gin\\.${binders}\\(\\)$`) }
  ],
  propagators: [{ path: new RegExp(`^http:gin\\.${binders}$`), how: "fills" }]
}
