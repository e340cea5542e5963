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
  digest === null && name !== "scratch" && (tag === null || tag === "latest")
