import type { Model } from "../Model.ts"

/** Entities of Entity Framework Core, in sets of a context. */
export const storedRecords: Model = {
  name: "storedRecords",
  mentions: /\bDbContext\b|\b\w*(?:[dD]b|[cC]ontext)\w*\.[A-Z]\w*\.(?:Find|First|Single|Where|Add|Update)\w*\(/,
  records: {
    loads:
      /(?:^|\.)\w*(?:[dD]b|[cC]ontext|[cC]tx)\w*\.(?<table>[A-Z]\w*)\.(?:Find|FindAsync|First\w*|Single\w*|Last\w*|Where|OrderBy\w*|ToList\w*|Include|AsNoTracking|AsQueryable|AsEnumerable|Take|Skip)$/,
    chains:
      /^(?:First\w*|Single\w*|Last\w*|Where|OrderBy\w*|ThenBy\w*|ToList\w*|ToArray\w*|Include|ThenInclude|AsNoTracking|AsQueryable|AsEnumerable|Take|Skip|ConfigureAwait|Distinct)$/,
    saves: /\.(?:Add|AddAsync|AddRange|Update|Attach|Insert|InsertOne|InsertOneAsync)$/
  }
}
