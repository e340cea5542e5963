import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import type { FlatTree } from "../../languages/tree/FlatTree.ts"

/** Whether a call queries a database: by the shape of its callee, and by the imports of the file. */
type IsQuery = (file: SourceFile, tree: FlatTree, call: Call) => boolean

/** `SELECT pg_drop_replication_slot(…)` acts on one thing and is a call, not a query. */
const selects =
  /^\s*(?:SELECT|WITH)\s(?!\s*(?:\w+\.)?(?:pg_(?:create|drop|copy|advance|terminate|cancel|reload|replication|logical|try_advisory|advisory)|set_config|setval|create_|drop_|add_|remove_|delete_)\w*\()/i

const isSqlSelect = (file: SourceFile, tree: FlatTree, { args }: Call): boolean =>
  args.slice(0, 2).some((argument) => {
    const literal = literalValue(file, argument)
    if (literal !== null) return selects.test(literal)
    return selects.test(tree.text.slice(tree.start(argument), tree.start(argument) + 120).replace(/^[fFrR]?["'`]+/, ""))
  })

/** Builders and mocks of the same names are not awaited. */
const isAwaited = (tree: FlatTree, node: number): boolean => {
  let at = node
  while (tree.is(tree.parent(at), "member_expression", "call_expression", "parenthesized_expression"))
    at = tree.parent(at)
  if (tree.is(tree.parent(at), "await_expression", "return_statement", "arrow_function")) return true
  return /^\.(?:then|exec)\(/.test(tree.text.slice(tree.end(node), tree.end(node) + 8))
}

const prismaCall =
  /^(?:this\.)?(?:\w*[pP]risma\w*|db|tx)\.\w+\.(?:find\w*|count|aggregate)$|^(?:this\.)?\w*[pP]risma\w*\.\$queryRaw\w*$/
const modelCall =
  /^[A-Z]\w*\.(?:findOne|findByPk|findById|findAll|findAndCountAll|findOneBy|findBy|findOrCreate|countDocuments|exists)$/
const mongooseFind = /^[A-Z]\w*\.(?:find|count|distinct)$/
const repositoryCall = /^(?:this\.)?(?:\w+\.)*\w*[rR]epo(?:sitory)?\.(?:find\w*|count\w*|exist\w*)$/
const rawCall =
  /^(?:this\.)?(?:\w+\.)*(?:pool|client|db|conn|connection|knex|sequelize|sql)\.(?:query|execute|one|any|oneOrNone|manyOrNone|get|all|raw)$/
const ormImport =
  /["'](?:sequelize|sequelize-typescript|mongoose|typeorm|@nestjs\/typeorm|@nestjs\/mongoose|@mikro-orm\/[\w-]+|objection|waterline|bookshelf)["']|\/models?\b|\bmodels?["']/i

const javascript: IsQuery = (file, tree, call) => {
  const { callee, node } = call
  if (prismaCall.test(callee)) return /prisma/i.test(file.text) && isAwaited(tree, node)
  if (modelCall.test(callee)) return ormImport.test(file.text) && isAwaited(tree, node)
  if (mongooseFind.test(callee)) return /mongoose|\/models?\//i.test(file.text) && isAwaited(tree, node)
  if (repositoryCall.test(callee)) return /typeorm|mikro-orm|Repository</.test(file.text) && isAwaited(tree, node)
  return rawCall.test(callee) && isSqlSelect(file, tree, call) && isAwaited(tree, node)
}

const djangoCall =
  /^[A-Z]\w*\.(?:_default_manager|objects)\.(?:get|filter|exclude|count|first|last|exists|values|values_list|aggregate)$/
const alchemyCall =
  /^[A-Z]\w*\.query\.(?:get|filter|filter_by|get_or_404|count|first)$|^(?:\w+\.)*(?:db\.)?session\.(?:query|scalar|scalars)$/
/** `session.get(Order, id)`; a session of HTTP requests gets a URL. */
const alchemyGet = /^(?:\w+\.)*(?:db\.)?session\.get$/
const python: IsQuery = (file, tree, call) => {
  const { callee, args } = call
  if (djangoCall.test(callee) || alchemyCall.test(callee)) return true
  if (alchemyGet.test(callee)) return args.length > 1 && /^(?:\w+\.)?[A-Z]/.test(tree.textOf(args[0]!))
  if (callee === "get_object_or_404") return true
  return (
    /^(?:\w+\.)*(?:cursor|cur|conn|connection|db|session|engine)\.(?:execute|fetch|fetchrow|fetchval|fetch_one|fetch_all)$/.test(
      callee
    ) && isSqlSelect(file, tree, call)
  )
}

const rubyConstant = /^(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*$/
const rubyOther =
  /^(?:File|Dir|Find|Pathname|FileUtils|Regexp|Rails|I18n|ENV|Redmine(?:::.*)?|Set|Hash|Array|Etc|IO|URI|Mime(?:::.*)?|Encoding|Gem(?:::.*)?|ObjectSpace|Process|.*(?:Registry|Plugin|Cache|Index|Collection|Loader|Resolver|Finder|Importer))$/
const ruby: IsQuery = (_file, tree, { receiver, receiverNode, method, node }) => {
  if (receiver === null) return false
  const hasBlock = tree.child(node, "block") >= 0
  if (rubyConstant.test(receiver) && !rubyOther.test(receiver)) {
    if (/^(?:find|find_by|find_by!|find_by_\w+|where)$/.test(method)) return !hasBlock
    return method === "exists?"
  }
  // `order.lines.where(…)`: an association that is queried again for each owner.
  return (
    /^(?:where|find_by|find_by!|pluck|exists\?)$/.test(method) &&
    tree.is(receiverNode, "call") &&
    /^[a-z_]\w*\.[a-z_]\w*s$/.test(receiver)
  )
}

const eloquent =
  /^\\?(?:App\\(?:Models\\)?)?[A-Z]\w*::(?:find|findOrFail|firstWhere|where|whereIn|firstOrCreate|query)$/
const notModels =
  /^\\?(?:Str|Arr|DB|Cache|Config|Log|Route|Http|File|Storage|Session|Collection|Carbon|Event|Queue|Finder|URL|Lang|View|Schema|Validator|Self|Parent|Static)::/i
const php: IsQuery = (file, tree, call) => {
  const { callee } = call
  if (eloquent.test(callee))
    return /Illuminate\\|App\\Models|extends Model\b|\buse App\\/.test(file.text) && !notModels.test(callee)
  if (/^(?:mysqli_query|mysql_query|pg_query|pg_query_params)$/.test(callee)) return isSqlSelect(file, tree, call)
  return (
    /^\$(?:\w+->)*(?:pdo|db|dbh|conn|connection|mysqli|wpdb|database|dbr|dbw)->(?:query|get_row|get_results|get_var|get_col|fetchAll|fetchOne|fetchAssoc|selectOne|select|prepare)$/i.test(
      callee
    ) && isSqlSelect(file, tree, call)
  )
}

const java: IsQuery = (file, tree, call) => {
  const { callee } = call
  if (/^(?:this\.)?\w*(?:Repository|Repo)\.(?:find|exists|count|getOne|getById|getReferenceById)\w*$/.test(callee))
    return true
  if (
    /^(?:this\.)?(?:em|entityManager|session)\.(?:find|createQuery|createNativeQuery|createNamedQuery)$/.test(callee)
  ) {
    return /persistence|hibernate/.test(file.text)
  }
  return (
    /^(?:this\.)?\w*[jJ]dbc(?:Template|Operations|Client)?\.query\w*$/.test(callee) ||
    (/\.(?:executeQuery|prepareStatement)$/.test(callee) && isSqlSelect(file, tree, call))
  )
}

const csharpEnd =
  /\.(?:First|FirstOrDefault|Single|SingleOrDefault|Find|Any|Count|ToList|ToArray|Load|Max|Min|Sum)(?:Async)?$/
const csharp: IsQuery = (file, tree, call) => {
  const { callee } = call
  if (/^(?:this\.)?(?:_?\w*[cC]ontext|_?db|_?\w*Db)\.[A-Z]\w*(?:\.|$)/.test(callee) && csharpEnd.test(callee)) {
    return /EntityFramework|DbContext|DbSet/.test(file.text)
  }
  return (
    /^(?:\w+\.)*_?(?:connection|conn|db)\.(?:Query|QueryFirst|QuerySingle|ExecuteScalar)\w*(?:<[^<>]{0,80}>)?$/.test(
      callee
    ) && isSqlSelect(file, tree, call)
  )
}

const go: IsQuery = (file, _tree, call) =>
  /^(?:\w+\.)*(?:db|tx|conn|pool|DB|Db)\.(?:Query|QueryRow|QueryContext|QueryRowContext|Get|Select|GetContext|SelectContext)$/.test(
    call.callee
  ) && call.args.slice(0, 4).some((argument) => selects.test(literalValue(file, argument) ?? ""))

const byLanguage: Partial<Record<SourceFile["language"], IsQuery>> = {
  typescript: javascript,
  tsx: javascript,
  javascript,
  python,
  ruby,
  php,
  java,
  csharp,
  go
}

/** A cheap test of the text: without one of these words there is no query in the file. */
export const mentionsQueries =
  /\b(?:find\w*|count\w*|exists\w*|objects|query\w*|Query\w*|session|execute\w*|where|Where|pluck|get_(?:row|results|var|col|object_or_404)|fetch\w*|select\w*|prepare\w*|First\w*|Single\w*|Any|ToList\w*|createQuery|Select)\s*\??\s*[(.<]/

export const isQuery: IsQuery = (file, tree, call) => byLanguage[file.language]?.(file, tree, call) ?? false
