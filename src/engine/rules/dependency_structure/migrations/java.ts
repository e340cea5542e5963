import { type Migration } from "./Migration.ts"

const language = "java"

const boxes = "Boolean|Byte|Character|Short|Integer|Long|Float|Double"

export const javaMigrations: ReadonlyArray<Migration> = [
  {
    id: "java.date",
    rule: "library_migration",
    language,
    from: { modules: /^java\.(?:util\.(?:Date|Calendar|GregorianCalendar)|text\.(?:SimpleDateFormat|DateFormat))$/ },
    to: { modules: /^java\.time\.(?:Instant|(?:Local|Zoned|Offset)\w*|format\.\w+|\*)$/ },
    fromTitle: "java.util.Date and Calendar",
    toTitle: "java.time",
    deprecation: null
  },
  {
    id: "java.joda",
    rule: "library_migration",
    language,
    from: { modules: /^org\.joda\.time\./ },
    to: { modules: /^java\.time\./ },
    fromTitle: "Joda-Time",
    toTitle: "java.time",
    deprecation: "The maintainers of Joda-Time ask its users to migrate to java.time."
  },
  {
    id: "java.commons_lang",
    rule: "library_migration",
    language,
    from: { modules: /^org\.apache\.commons\.lang\./ },
    to: { modules: /^org\.apache\.commons\.lang3\./ },
    fromTitle: "Commons Lang 2",
    toTitle: "Commons Lang 3",
    deprecation: "Commons Lang 2 has had no release since 2011; version 3 succeeds it."
  },
  {
    id: "java.log4j",
    rule: "library_migration",
    language,
    from: { modules: /^org\.apache\.log4j\./ },
    to: { modules: /^org\.(?:apache\.logging\.log4j|slf4j)\./ },
    fromTitle: "Log4j 1",
    toTitle: null,
    deprecation: "Log4j 1 has been at its end of life since 2015."
  },
  {
    id: "java.jakarta",
    rule: "library_migration",
    language,
    from: {
      modules: /^javax\.(?:servlet|persistence|validation|inject|enterprise|ws\.rs|ejb|jms|mail|json|faces|websocket)\./
    },
    to: {
      modules:
        /^jakarta\.(?:servlet|persistence|validation|inject|enterprise|ws\.rs|ejb|jms|mail|json|faces|websocket)\./
    },
    fromTitle: "javax packages of Java EE",
    toTitle: "jakarta",
    deprecation: null
  },
  {
    id: "java.guava_functional",
    rule: "library_migration",
    language,
    from: { modules: /^com\.google\.common\.base\.(?:Optional|Function|Predicate|Supplier)$/ },
    to: { modules: /^java\.util\.(?:Optional|function\.(?:Function|Predicate|Supplier))$/ },
    fromTitle: "Optional and functions of Guava",
    toTitle: "java.util",
    deprecation: null
  },
  {
    id: "java.boxes",
    rule: "api_migration",
    language,
    from: { calls: new RegExp(`^(?:${boxes})$`), when: (_tree, { isNew }) => isNew },
    to: { calls: new RegExp(`^(?:${boxes})\\.(?:valueOf|parse\\w+)$`) },
    fromTitle: "constructors of Integer, Long and the like",
    toTitle: "valueOf()",
    deprecation: "Java has deprecated these constructors for removal since version 9."
  },
  {
    id: "java.junit",
    rule: "test_framework_migration",
    language,
    from: {
      modules:
        /^(?:org\.junit\.(?:Test|Before|After|BeforeClass|AfterClass|Assert|Rule|Ignore|runner\.\w+)|junit\.framework\.\w+)$/
    },
    to: { modules: /^org\.junit\.jupiter\./ },
    fromTitle: "JUnit 3 and 4",
    toTitle: "JUnit 5",
    deprecation: null
  }
]
