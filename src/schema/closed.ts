import { Array, Option, Schema, SchemaAST } from "effect"

type Examples<Fields extends Schema.Struct.Fields> = ReadonlyArray<NoInfer<Schema.Struct.Type<Fields>>>

const named = <Fields extends Schema.Struct.Fields>(identifier: string | undefined, examples: Examples<Fields>) => ({
  ...(identifier === undefined ? {} : { identifier }),
  ...(Array.isNonEmptyReadonlyArray(examples) ? { examples } : {})
})

/**
 * A request body, query or closed record: unknown keys are rejected, and every problem is reported at once. It stays
 * closed in the OpenAPI document, too; everything else may grow.
 */
export const closed = <const Fields extends Schema.Struct.Fields>(
  fields: Fields,
  identifier?: string,
  ...examples: Examples<Fields>
) =>
  structOf(fields).annotations({
    parseOptions: { onExcessProperty: "error", errors: "all" },
    jsonSchema: { additionalProperties: false },
    ...named(identifier, examples)
  })

// To the library a struct without fields is anything but null; one whose other values cannot be decoded is empty.
const structOf = <Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Struct<Fields> => {
  if (Object.keys(fields).length > 0) return Schema.Struct(fields)
  const empty: Schema.Schema.Any = Schema.Struct(fields, Schema.Record({ key: Schema.String, value: Schema.Never }))
  // Its type is that of the struct; the index signature adds no value.
  return empty as Schema.Struct<Fields>
}

/** Whether a struct rejects unknown keys. */
export const isClosed = (ast: SchemaAST.AST): boolean =>
  Option.exists(SchemaAST.getParseOptionsAnnotation(ast), ({ onExcessProperty }) => onExcessProperty === "error")

/** A record that clients must tolerate growing. */
export const record = <const Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields,
  ...examples: Examples<Fields>
) => Schema.Struct(fields).annotations(named(identifier, examples))
