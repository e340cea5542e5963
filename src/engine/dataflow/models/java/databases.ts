import { NOSQL, SQL } from "../../values/Value.ts"
import { FILTER_TEXT, QUERY } from "../labels.ts"
import type { Model } from "../Model.ts"

export const databases: Model = {
  name: "databases",
  sinks: [
    {
      kind: SQL,
      label: QUERY,
      path: /^java\.sql\.\w+(?:\.\w+\(\))*\.(?:executeQuery|execute|executeUpdate|executeLargeUpdate|addBatch|prepareStatement|prepareCall|nativeSQL)$/,
      args: [0]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /^(?:org\.springframework\.jdbc\b.*)\.(?:query|queryForObject|queryForList|queryForMap|queryForRowSet|queryForStream|update|execute|batchUpdate)$/,
      args: [0]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /^(?:(?:jakarta|javax)\.persistence\.|org\.hibernate\.)[\w.()]*\.(?:createQuery|createNativeQuery|createSQLQuery|createStoredProcedureQuery|createSelectionQuery|createMutationQuery)$/,
      args: [0]
    },
    {
      kind: SQL,
      label: QUERY,
      path: /(?:^|\.)(?:executeQuery|executeUpdate|execute|addBatch|prepareStatement|prepareCall|createQuery|createNativeQuery|createSQLQuery|query|queryForObject|queryForList|queryForMap|rawQuery|execSQL|update)$/,
      args: [0],
      needsText: true
    },
    {
      kind: NOSQL,
      label: FILTER_TEXT,
      path: /(?:^|\.)(?:BasicQuery|(?:BasicDBObject|BsonDocument|Document|JSON)\.parse)$/,
      args: [0],
      text: /^\s*\{/
    }
  ]
}
