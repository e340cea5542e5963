import type { Match } from "../../core/tool/AuditTool.ts"
import type { Image } from "../../languages/formats/dockerfile.ts"

/** Official images whose processes are root unless a `USER` line says otherwise. */
const rootImages = new Set(
  (
    "alpine amazoncorretto amazonlinux almalinux archlinux buildpack-deps bun busybox caddy centos clojure composer " +
    "debian eclipse-temurin elixir erlang fedora gcc golang gradle groovy haskell httpd ibmjava julia " +
    "maven mono nginx node openjdk opensuse/leap opensuse/tumbleweed oraclelinux oven/bun perl php pypy python " +
    "r-base rockylinux ruby rust sapmachine swift tomcat traefik ubuntu adoptopenjdk"
  ).split(" ")
)
const rootFamilies =
  /^(?:mcr\.microsoft\.com\/(?:dotnet(?:\/core)?\/(?:aspnet|runtime|sdk|runtime-deps)|playwright(?:\/python)?|openjdk\/jdk)|gcr\.io\/distroless\/|registry\.access\.redhat\.com\/ubi\d+\/ubi(?:-minimal|-micro)?$|tiangolo\/uvicorn-gunicorn|continuumio\/(?:mini|ana)conda3?|nvidia\/cuda|astral\/uv|ghcr\.io\/astral-sh\/uv)/
/** Servers that start as root by design and hand requests to workers that are not. */
const rootMasters = new Set(["nginx", "httpd", "caddy", "traefik"])

export type DefaultUser = "root" | "root master" | "other" | "unknown"

export const defaultUser = ({ name, tag }: Image): DefaultUser => {
  if (/nonroot|rootless|unprivileged/.test(`${name}:${tag ?? ""}`)) return "other"
  if (rootMasters.has(name)) return "root master"
  // .NET images of the "chiseled" kind have a user of their own.
  if (/chiseled|distroless/.test(tag ?? "")) return "other"
  return rootImages.has(name) || rootFamilies.test(name) ? "root" : "unknown"
}

/** Whether two pulls of it may differ at any time: no digest, and no tag or one that names no version. */
export const isFloating = ({ name, tag, digest }: Image): boolean =>
  digest === null && name !== "scratch" && (tag === null || tag === "latest") && !isFilledIn({ name, tag, digest })

const rootNames = [...rootImages].filter((name) => !name.includes("/"))
/** Names without an owner that a registry has: what else has none is built here or filled in by a tool. */
const official = new Set([
  ...rootNames,
  ...(
    "adminer aerospike api-firewall arangodb backdrop bonita cassandra chronograf cirros clearlinux clickhouse " +
    "couchbase couchdb crate dart docker drupal eclipse-mosquitto eggdrop elasticsearch emqx express-gateway flink " +
    "fluentd friendica gazebo geonetwork ghost gradle haproxy hello-world hitch hylang influxdb irssi jetty joomla " +
    "jruby kapacitor kibana kong krakend lightstreamer liquibase logstash mageia mariadb matomo mediawiki memcached " +
    "mongo mongo-express monica mysql nats nats-streaming neo4j neurodebian nextcloud notary odoo open-liberty " +
    "orientdb percona photon plone postfixadmin postgres pypy rabbitmq rakudo-star redis redmine registry rethinkdb " +
    "rocket.chat ros satosa scratch silverpeas sl solr sonarqube spark spiped storm swipl teamspeak telegraf tomee " +
    "unit varnish vault websphere-liberty wordpress xwiki yourls znc zookeeper"
  ).split(" ")
])

/** A registry that only this machine or a build has. */
const localRegistry =
  /^(?:localhost|127\.0\.0\.1|host\.docker\.internal|kind-registry|registry)(?::\d+)?\/|^[\w-]+:5000\//
const filler =
  /(?:^|[/._-])(?:your|my|username|placeholder|example|changeme|replace|todo|foo|bar|dummy)(?:[/._-]|$)|^[^/]+\.(?:example|test|invalid|local)\//

/** A name that a build tool, a person or a local build fills in: it says nothing of what will be pulled. */
export const isFilledIn = ({ name }: Image): boolean =>
  (!name.includes("/") && !official.has(name)) ||
  name !== name.toLowerCase() ||
  localRegistry.test(name) ||
  filler.test(name)

/** An image without a version as a file names it; whether a tool of the repository fills it in is known at the end. */
export interface FloatingImage {
  /** Name without a tag. */
  readonly image: string
  readonly tag: string | null
  readonly message: string
  readonly start: number
  readonly end: number
}

/** One finding for each image, in however many places. */
export const floatingImageMatch = ({ image, tag, message, start, end }: FloatingImage): Match<"unpinned_image"> => ({
  rule: "unpinned_image",
  start,
  end,
  message,
  noun: tag === null ? image : `${image}:${tag}`,
  subject: image,
  identity: image,
  identifiers: [image]
})
