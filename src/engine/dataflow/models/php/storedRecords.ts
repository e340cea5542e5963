import type { Model } from "../Model.ts"

/** Records of Eloquent, and entities of Doctrine behind repositories and entity managers. */
export const storedRecords: Model = {
  name: "storedRecords",
  mentions:
    /\b[A-Z]\w*::(?:find\w*|first\w*|where\w*|all|create|updateOrCreate|query|latest)\(|->getRepository\(|Repository\b|extends Model\b/,
  records: {
    loads:
      /^(?:\\?\w+\\)*([A-Z]\w*)::(?:find|findOrFail|findMany|first|firstOrFail|firstWhere|firstOrCreate|where\w*|all|query|with|latest|oldest|orderBy|withTrashed|cursor|paginate)$|(?:^|[.\\])([A-Z]\w*?)Repository\.find\w*$/,
    loadsOf: /^(?:getRepository|find|getReference)$/,
    chains:
      /^(?:find|findOrFail|findOneBy|findBy|findAll|first|firstOrFail|firstWhere|where\w*|orWhere\w*|all|get|with|latest|oldest|orderBy\w*|limit|take|skip|sole|fresh|refresh|load|withTrashed|cursor|paginate|simplePaginate|last)$/,
    accessors: /^get([A-Z]\w*)$/,
    stores:
      /^(?:\\?\w+\\)*([A-Z]\w*)::(?:create|forceCreate|firstOrCreate|updateOrCreate|insert|upsert|make)$|^new (?:\\?\w+\\)*([A-Z]\w*)$/,
    updates: /^(?:update|fill|forceFill|updateOrFail|insert)$/,
    setters: /^set([A-Z]\w*)$/,
    takesWhole: true
  }
}
