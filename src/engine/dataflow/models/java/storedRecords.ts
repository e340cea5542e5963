import type { Model } from "../Model.ts"

/** Entities of JPA and documents of Spring Data, behind repositories and entity managers. */
export const storedRecords: Model = {
  name: "storedRecords",
  mentions: /@(?:Entity|Document)\b|Repository\b|\bEntityManager\b|\bDao\b/,
  records: {
    loads:
      /(?:^|[.:])([A-Z]\w*?)(?:Repository|Repo|Dao|DAO)\.(?:find|get|load|read|search|query|stream|list|fetch)\w*$/,
    loadsOf:
      /^(?:find|getReference|createQuery|createNamedQuery|createNativeQuery|get|load|byId|findById|findAll|findOne)$/,
    chains:
      /^(?:get|orElse|orElseThrow|orElseGet|stream|parallelStream|findFirst|findAny|getSingleResult|getResultList|getResultStream|getFirstResult|setParameter|setMaxResults|setFirstResult|getContent|toList|collect|iterator|next|first|uniqueResult|list|sorted|distinct|limit|skip)$/,
    accessors: /^(?:get|is)([A-Z]\w*)$|^([a-z]\w*)$/,
    setters: /^(?:set|with)([A-Z]\w*)$/
  }
}
