import { at, code, type Item, plural } from "../Draft.ts"
import type { ObservedFile } from "../Observed.ts"
import type { Survey } from "../Survey.ts"

/** Modules by which a program reaches what runs elsewhere. */
const services: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(?:pg|pg-\w+|postgres|@effect\/sql-pg|psycopg2?|asyncpg|github\.com\/(?:jackc\/pgx|lib\/pq)|org\.postgresql|tokio_postgres)(?:$|[./:_])/,
    "PostgreSQL"
  ],
  [/^(?:mysql2?|pymysql|MySQLdb|aiomysql|github\.com\/go-sql-driver\/mysql|com\.mysql)(?:$|[./:_])/, "MySQL"],
  [
    /^(?:sqlite3|better-sqlite3|node:sqlite|github\.com\/(?:mattn\/go-sqlite3|glebarez\/sqlite)|modernc\.org\/sqlite|rusqlite|aiosqlite)(?:$|[./:_])/,
    "SQLite"
  ],
  [/^(?:mongodb|mongoose|pymongo|motor|go\.mongodb\.org|com\.mongodb)(?:$|[./:_])/, "MongoDB"],
  [/^(?:redis|ioredis|aioredis|github\.com\/(?:redis|go-redis|gomodule\/redigo)|redis\.clients)(?:$|[./:_])/, "Redis"],
  [
    /^(?:elasticsearch|@elastic\/\w+|opensearchpy|github\.com\/(?:elastic|olivere)|org\.elasticsearch)(?:$|[./:_])/,
    "Elasticsearch"
  ],
  [
    /^(?:kafkajs|kafka|confluent_kafka|aiokafka|rdkafka|github\.com\/(?:segmentio\/kafka-go|Shopify\/sarama|IBM\/sarama)|org\.apache\.kafka)(?:$|[./:_])/,
    "Kafka"
  ],
  [
    /^(?:amqplib|pika|aio_pika|bunny|lapin|github\.com\/(?:streadway|rabbitmq)\/amqp\w*|com\.rabbitmq)(?:$|[./:_])/,
    "RabbitMQ"
  ],
  [/^(?:nats|github\.com\/nats-io)(?:$|[./:_])/, "NATS"],
  [
    /^(?:aws-sdk|@aws-sdk|boto3?|botocore|aws_sdk_\w+|aws_config|github\.com\/aws|com\.amazonaws|software\.amazon)(?:$|[./:_-])/,
    "Amazon Web Services"
  ],
  [/^(?:@google-cloud|google\.cloud|cloud\.google\.com|com\.google\.cloud)(?:$|[./:_])/, "Google Cloud"],
  [/^(?:@azure|azure\.|github\.com\/Azure|com\.azure)(?:$|[./:_]|\w)/, "Azure"],
  [/^(?:stripe|github\.com\/stripe|com\.stripe)(?:$|[./:_])/, "Stripe"],
  [/^(?:twilio|com\.twilio)(?:$|[./:_])/, "Twilio"],
  [
    /^(?:nodemailer|smtplib|aiosmtplib|net\/smtp|lettre|jakarta\.mail|javax\.mail|PHPMailer)(?:$|[./:_\\])/,
    "mail servers (SMTP)"
  ],
  [/^(?:ldap3?|ldapjs|github\.com\/go-ldap)(?:$|[./:_])/, "LDAP"],
  [/^(?:@octokit|octokit|github\.com\/google\/go-github)(?:$|[./:_])/, "the API of GitHub"],
  [/^(?:openai|anthropic|@anthropic-ai)(?:$|[./:_])/, "language models"],
  [/^(?:@sentry|sentry_sdk|github\.com\/getsentry)(?:$|[./:_])/, "Sentry"],
  [/^(?:k8s\.io\/client-go|kubernetes|@kubernetes|kube)(?:$|[./:_])/, "Kubernetes"],
  [/^(?:docker|dockerode|github\.com\/docker\/docker|bollard)(?:$|[./:_])/, "Docker"]
]

const requests =
  /^(?:fetch|axios(?:\.\w+)?|got(?:\.\w+)?|undici\.\w+|requests\.(?:get|post|put|patch|delete|request|Session)|httpx\.\w+|aiohttp\.ClientSession|urllib\.request\.urlopen|urlopen|http\.(?:Get|Post|NewRequest|NewRequestWithContext|PostForm)|Net::HTTP(?:\.\w+)?|Faraday(?:\.\w+)?|HTTParty\.\w+|reqwest(?:::\w+)*|curl_exec|HttpClient\.newHttpClient)$/

const isCode = ({ role, path }: ObservedFile): boolean =>
  role === "source" && !/(?:^|\/)(?:scripts?|tools?|docs?|debian|bench\w*)\//.test(path)

const MAX_SERVICES = 16

/** What the code reaches outside of its own process, by the client that it imports. */
export const outsideItems = (survey: Survey): ReadonlyArray<Item> => {
  const found = new Map<string, { files: number; readonly path: string; readonly line: number; readonly by: string }>()
  const add = (name: string, path: string, line: number, by: string): void => {
    const known = found.get(name)
    if (known === undefined) found.set(name, { files: 1, path, line, by })
    else known.files++
  }
  for (const file of survey.source) {
    if (!isCode(file)) continue
    const here = new Map<string, readonly [line: number, by: string]>()
    for (const { module, line } of file.imports) {
      const name = services.find(([pattern]) => pattern.test(module))?.[1]
      if (name !== undefined && !here.has(name)) here.set(name, [line, module])
    }
    const request = file.calls.find(([callee]) => requests.test(callee))
    if (request !== undefined) here.set("other servers, over HTTP", [request[2], request[0]])
    for (const [name, [line, by]] of here) add(name, file.path, line, by)
  }
  return [...found]
    .sort((a, b) => b[1].files - a[1].files || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_SERVICES)
    .map(([name, { files, path, line, by }]) => ({
      text: `${name}: by ${code(by)} in ${plural(files, "file")}, first ${at({ path, line })}`,
      cites: [{ path, line }]
    }))
}
