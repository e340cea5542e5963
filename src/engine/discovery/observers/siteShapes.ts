import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { SiteKind } from "../Observed.ts"

/** Ways to reach stored data, by callee. The first that fits names the shape. */
const dataShapes: ReadonlyArray<readonly [pattern: RegExp, shape: string, languages: RegExp]> = [
  [/^(?:this\.)?(?:\w+\.)*\w*[pP]risma\w*\.\w+\.\w+$/, "Prisma client: `prisma.<model>.<method>(…)`", /script|tsx/],
  [/^(?:\w+\.)*sql(?:\.\w+)?$/, "SQL in tagged templates: sql`…`", /script|tsx/],
  [
    /^(?:this\.)?(?:\w+\.)*(?:pool|client|db|conn|connection)\.(?:query|execute)$/,
    "Driver: `<connection>.query(…)`",
    /script|tsx/
  ],
  [
    /^(?:this\.)?\w*[rR]epo(?:sitory)?\.(?:find|save|update|delete|insert|count|create)\w*$/,
    "Repository objects: `<repository>.<method>(…)`",
    /script|tsx|java|csharp/
  ],
  [
    /^(?:await )?db\.(?:getObject|setObject|sortedSet|getSorted|setAdd|isSet|exists|incr|delete|get|set|list)\w*$/,
    "Own database module: `db.<method>(…)`",
    /script/
  ],
  [
    /^[A-Z]\w*\.(?:findOne|findByPk|findById|findAll|findMany|updateOne|deleteOne|bulkCreate)$/,
    "Model methods: `<Model>.<method>(…)`",
    /script|tsx/
  ],
  [/\.(?:objects|_default_manager)\.\w+$/, "Django managers: `<Model>.objects.<method>(…)`", /python/],
  [
    /^(?:\w+\.)*(?:session|store)\.(?:query|execute|scalars?|get|add)$/,
    "SQLAlchemy session: `session.<method>(…)`",
    /python/
  ],
  [/(?:^|\.)(?:cursor|cur|conn|connection)\.(?:execute|executemany)$/, "DB-API: `cursor.execute(…)`", /python/],
  [
    /^[A-Z]\w*(?:::[A-Z]\w*)*\.(?:where|find|find_by\w*!?|order|joins|includes|create!?|pluck|exists\?)$/,
    "ActiveRecord: `<Model>.<query method>`",
    /ruby/
  ],
  [/^\$wpdb->\w+$/, "`$wpdb->…`", /php/],
  [/^(?:DB|\\DB)::\w+$/, "Laravel query builder: `DB::…`", /php/],
  [
    /->(?:fetchAll|fetchAssoc|fetchOne|fetchRow|prepare|executeQuery|executeStatement|newSelectQueryBuilder)$/,
    "Connection object: `$…->prepare/fetch…`",
    /php/
  ],
  [
    /^(?:\w+\.)*(?:db|tx|conn|pool|DB)\.(?:Query|QueryRow|Exec|QueryContext|QueryRowContext|ExecContext|Get|Select)$/,
    "database/sql: `db.Query…(…)`",
    /go/
  ],
  [/[jJ]dbc(?:Template|Operations|Client)?\.\w+$/, "JdbcTemplate", /java/],
  [/^(?:this\.)?(?:em|entityManager)\.\w+$/, "JPA entity manager", /java/],
  [/^(?:this\.)?_?(?:\w*[cC]ontext|db)\.[A-Z]\w*\.\w+$/, "EF Core: `context.<Set>.<method>`", /csharp/],
  [/^(?:sqlx::query\w*|diesel::\w+)/, "sqlx / diesel queries", /rust/]
]

const logShapes: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => string, RegExp]> = [
  [/^Effect\.log(?:Debug|Info|Warning|Error|Fatal)?$/, () => "`Effect.log…`", /script|tsx/],
  [/^console\.(?:log|warn|error|info|debug)$/, () => "`console.…`", /script|tsx/],
  [
    /^(?:this\.|self\.|self::|cls\.)?(_?(?:logger|log|LOG|LOGGER|winston|pino|logging|slog|logrus|klog|glog|elog|Rails\.logger))(?:\.|->|::)(?:trace|debug|info|information|warn|warning|error|err|critical|exception|fatal|log|Trace|Debug|Info|Warn|Warning|Error|Fatal|Log\w*|Print\w*|Infof|Errorf|Warnf|Debugf|verbose)$/,
    (match) => `\`${match[1]}.…\``,
    /./
  ],
  [/^(?:level\.(?:Debug|Info|Warn|Error))$/, () => "go-kit `level.…(logger).Log`", /go/],
  [/^(?:trace|debug|info|warn|error)$/, (match) => `\`${match[0]}!\` macros`.replace(/`\w+!/, "`info!`-style"), /rust/],
  [/^(?:println|eprintln)$/, () => "`println!` / `eprintln!`", /rust/],
  [/^print$/, () => "`print(…)`", /python/],
  [/^error_log$/, () => "`error_log(…)`", /php/],
  [/^System\.(?:out|err)\.print\w*$/, () => "`System.out.print…`", /java/],
  [/^Console\.(?:Write|WriteLine|Error\.WriteLine)$/, () => "`Console.WriteLine`", /csharp/],
  [/^(?:Debug|Trace)\.(?:WriteLine|Assert|Fail)$/, (match) => `\`${match[0]}\``, /csharp/]
]

const script = /script|tsx/

/** Other common things, by callee, and where words as common as these need it by what the file imports. */
const commonShapes: ReadonlyArray<
  readonly [SiteKind, pattern: RegExp, shape: string, languages: RegExp, needs?: RegExp]
> = [
  [
    "transaction",
    /(?:^|\.)(?:\$transaction|withTransaction|inTransaction|transactional|transaction)$/,
    "`transaction(…)` around a function",
    script
  ],
  ["transaction", /(?:^|\.)transaction\.atomic$/, "`transaction.atomic()`", /python/],
  ["transaction", /(?:^|\.)(?:session|db)\.begin(?:_nested)?$/, "`session.begin()`", /python/],
  ["transaction", /(?:^|\.)transaction$/, "`transaction do … end`", /ruby/],
  ["transaction", /(?:^|\.)(?:BeginTx|Begin|BeginTxx|Beginx)$/, "`Begin…` with `Commit` and `Rollback`", /go/],
  ["transaction", /(?:^|\.)(?:Transaction|WithTx|RunInTx|InTx|ExecTx)$/, "a function that runs in a transaction", /go/],
  [
    "transaction",
    /(?:->|::)(?:beginTransaction|transactional|transaction|wrapInTransaction)$/,
    "`beginTransaction` or `transaction(…)`",
    /php/
  ],
  ["transaction", /(?:^|\.)(?:BeginTransaction(?:Async)?|CreateExecutionStrategy)$/, "`BeginTransaction`", /csharp/],
  ["validation", /^(?:z|zod)\.(?:object|string|number|enum|array)$/, "zod schemas: `z.object(…)`", script],
  ["validation", /^[jJ]oi\.(?:object|string|number)$/, "Joi schemas", script],
  ["validation", /^(?:Schema|S)\.(?:Struct|Class|decodeUnknown\w*)$/, "Effect schemas: `Schema.Struct(…)`", script],
  [
    "validation",
    /^(?:body|param|query|check|checkSchema)$/,
    "express-validator chains",
    script,
    /["']express-validator["'/]/
  ],
  ["validation", /^validates(?:_\w+)?$/, "`validates …` in the model", /ruby/],
  ["validation", /(?:ShouldBind\w*|BindJSON|MustBindWith)$/, "gin's `ShouldBind…`", /go/],
  ["validation", /(?:^|\.)(?:validate|validator|Validate)\.(?:Struct|Var|StructCtx)$/, "`validate.Struct(…)`", /go/],
  ["validation", /(?:^|\.)is_valid$/, "`is_valid()` of a form or serializer", /python/],
  ["validation", /(?:->validate|::make|->validateWithBag)$/, "`validate(…)`", /php/],
  [
    "authentication",
    /(?:^|\.)(?:login_required|permission_required|user_passes_test|permission_classes)$/,
    "a decorator such as `login_required`",
    /python/
  ],
  [
    "authentication",
    /^(?:before_action|before_filter|authenticate_user!|authorize!?)$/,
    "`before_action` or `authorize`",
    /ruby/
  ],
  [
    "authentication",
    /^(?:passport\.authenticate|jwt\.verify|requireAuth|authenticate|requireUser|isAuthenticated)$/,
    "a function such as `passport.authenticate`",
    script
  ],
  ["authentication", /->(?:authorize|denyAccessUnlessGranted|isGranted)$/, "`authorize(…)`", /php/],
  ["injection", /^(?:Depends|fastapi\.Depends|inject)$/, "`Depends(…)`", /python/],
  [
    "injection",
    /^(?:container|Container|injector)\.(?:get|resolve|register|bind)$/,
    "a container: `container.get(…)`",
    script
  ],
  ["injection", /^(?:Effect\.Service|Context\.Tag)$/, "`Effect.Service`", script],
  ["injection", /\.Add(?:Scoped|Singleton|Transient)$/, "`services.Add…`", /csharp/],
  ["injection", /^(?:wire\.Build|fx\.Provide|dig\.\w+)$/, "`wire.Build` or `fx.Provide`", /go/],
  ["feature_flag", /^(?:Flipper|Feature)\.(?:enabled\?|enabled|active\?)$/, "`Feature.enabled?`", /ruby/],
  [
    "feature_flag",
    /(?:^|\.)(?:flag_is_active|switch_is_active|is_feature_enabled|feature_enabled|has_feature)$/,
    "`…_is_active(…)`",
    /python/
  ],
  [
    "feature_flag",
    /(?:^|\.)(?:isFeatureEnabled|isFeatureActive|featureEnabled|useFeatureFlag|hasFeature|useFlag)$/,
    "`isFeatureEnabled(…)`",
    /script|tsx|java/
  ],
  ["feature_flag", /(?:^|\.)(?:IsFeatureEnabled|FeatureEnabled|BoolVariation)$/, "`FeatureEnabled(…)`", /go|csharp/],
  [
    "response",
    /^(?:res|response)(?:\.status)?\.(?:json|send|render|redirect|end|sendStatus)$/,
    "`res.json(…)` and its like",
    script
  ],
  ["response", /^(?:reply|ctx|c|context)\.(?:send|json|code|body)$/, "`reply.send(…)` and its like", script],
  ["response", /(?:^|\.)jsonify$/, "`jsonify(…)`", /python/],
  ["response", /(?:^|\.)(?:JsonResponse|HttpResponse|HttpResponseRedirect)$/, "Django's response classes", /python/],
  ["response", /(?:^|\.)Response$/, "`Response(…)`", /python/],
  ["response", /^(?:render|redirect_to|respond_with|head)$/, "`render` and `redirect_to`", /ruby/],
  [
    "response",
    /^(?:c|ctx|context)\.(?:JSON|IndentedJSON|AbortWithStatusJSON|String|HTML|Status)$/,
    "`c.JSON(…)`",
    /go/
  ],
  [
    "response",
    /^(?:http\.Error|json\.NewEncoder|w\.Write|w\.WriteHeader|render\.JSON|respondJSON|writeJSON)$/,
    "the response writer itself",
    /go/
  ],
  ["response", /^ResponseEntity(?:\.\w+)?$/, "`ResponseEntity`", /java/],
  [
    "response",
    /^(?:Ok|NotFound|BadRequest|CreatedAtAction|NoContent)$/,
    "`Ok(…)`, `NotFound(…)` and their like",
    /csharp/
  ],
  ["response", /^(?:response|view|redirect)$|^(?:JsonResponse|new JsonResponse)$/, "`response(…)` and its like", /php/]
]

const testShapes: ReadonlyArray<readonly [SiteKind, pattern: RegExp, shape: string, languages: RegExp]> = [
  ["setup", /^(?:beforeEach|beforeAll)$/, "`beforeEach` and `beforeAll`", script],
  ["setup", /^before$/, "`before`", /script|tsx|ruby/],
  ["setup", /^setup$/, "`setup do`", /ruby/],
  ["setup", /^t\.(?:Cleanup|Helper|TempDir|Setenv)$/, "helpers with `t.Helper()` and `t.Cleanup(…)`", /go/],
  ["setup", /(?:^|\.)pytest\.fixture$|^fixture$/, "pytest fixtures", /python/],
  ["fixture", /^(?:create|build|build_stubbed|create_list|FactoryBot\.\w+)$/, "FactoryBot: `create(:…)`", /ruby/],
  ["fixture", /^fixtures$/, "`fixtures :…`", /ruby/],
  [
    "fixture",
    /^(?:\w+\.)?[A-Z]\w*Factory(?:\.(?:create|build|create_batch|new))?$/,
    "factory classes: `…Factory(…)`",
    /python|script|php/
  ],
  ["fixture", /(?:^|\.)baker\.make$/, "`baker.make(…)`", /python/],
  ["fixture", /::factory$/, "model factories: `…::factory()`", /php/]
]

const fitting = (shapes: typeof commonShapes, file: SourceFile, callee: string): readonly [SiteKind, string] | null => {
  const found = shapes.find(
    ([, pattern, , languages, needs]) =>
      languages.test(file.language) && pattern.test(callee) && needs?.test(file.text) !== false
  )
  return found === undefined ? null : [found[0], found[2]]
}

/** What a call in a test is an example of. */
export const testShapeOf = (file: SourceFile, callee: string): readonly [SiteKind, string] | null =>
  callee.length > 120 ? null : fitting(testShapes, file, callee)

/** What a call is an example of. */
export const shapeOf = (file: SourceFile, callee: string): readonly [SiteKind, string] | null => {
  if (callee.length > 120) return null
  for (const [pattern, shape, languages] of dataShapes) {
    if (languages.test(file.language) && pattern.test(callee)) return ["data_access", shape]
  }
  for (const [pattern, shape, languages] of logShapes) {
    const match = languages.test(file.language) ? pattern.exec(callee) : null
    if (match !== null) return ["logging", shape(match)]
  }
  return fitting(commonShapes, file, callee)
}
