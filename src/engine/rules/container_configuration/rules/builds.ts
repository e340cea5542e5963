import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** What makes an image build stop or do something else than it says. */
export const buildRules = ruleSet({
  no_copy_source: {
    languages: ["dockerfile"],
    title: "Dockerfile: COPY --from an unknown or the same stage",
    description:
      "The build stops at this line: a stage can only copy from an earlier stage, by its name or number, or " +
      "from an image. Correct the name, or move the stage up.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim AS build
RUN make
FROM node:22-slim
COPY --from=2 /app /app
USER node
CMD ["node", "/app"]
`,
      good: `FROM node:22-slim AS build
RUN make
FROM node:22-slim
COPY --from=0 /app /app
USER node
CMD ["node", "/app"]
`
    },
    cwe: [670],
    confidence: 0.93,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P2"
  },
  duplicate_stage: {
    languages: ["dockerfile"],
    title: "Dockerfile with two stages of the same name",
    description:
      "What refers to the name gets one of the two stages, and a reader takes the other. Give each stage a name " +
      "of its own.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim AS build
RUN make
FROM node:22-slim AS build
USER node
CMD ["node", "/app"]
`,
      good: `FROM node:22-slim AS build
RUN make
FROM node:22-slim AS final
USER node
CMD ["node", "/app"]
`
    },
    cwe: [670],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P3"
  },
  overridden_start: {
    languages: ["dockerfile"],
    title: "Dockerfile with several CMD or ENTRYPOINT in a stage",
    description:
      "Only the last `CMD` and the last `ENTRYPOINT` of a stage count; the others never run. Remove them, or " +
      "start both programs from one script.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
USER node
CMD ["node", "worker.js"]
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [561],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P3"
  },
  malformed_exec_form: {
    languages: ["dockerfile"],
    title: "Dockerfile: exec form with single quotes",
    description:
      "The list form takes double quotes only; with single quotes the line is handed to a shell as it is, which " +
      "looks for a program called `[node,` and fails. Write double quotes.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
USER node
CMD ['node', 'server.js']
`,
      good: `FROM node:22-slim
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [670],
    confidence: 0.95,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P2"
  },
  invalid_port: {
    languages: ["dockerfile"],
    title: "Dockerfile: EXPOSE of a port that does not exist",
    description: "Ports go from 0 to 65535: the build stops at this line. Correct the number in this line.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
EXPOSE 80800
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
EXPOSE 8080
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [670],
    confidence: 0.95,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P2"
  },
  interactive_install: {
    languages: ["dockerfile"],
    title: "Dockerfile: package installation that waits for an answer",
    description:
      "A build has no one to answer the question whether to go on, so the installation is aborted and the build " +
      "stops. Add `-y`.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN apt-get update && apt-get install --no-install-recommends git && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [670],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P2"
  },
  lost_directory: {
    languages: ["dockerfile"],
    title: "Dockerfile: cd in a RUN of its own has no effect",
    description:
      "Each `RUN` starts in the working directory again, so the next line runs in another folder than this one " +
      "says. Use `WORKDIR`, or join the commands with `&&`.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN cd /app
RUN npm ci
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
WORKDIR /app
RUN npm ci
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [670],
    confidence: 0.93,
    effort: "small",
    risk: "low",
    category: "correctness",
    priority: "P3"
  },
  update_without_install: {
    languages: ["dockerfile"],
    title: "Dockerfile: apt-get update in a layer of its own",
    description:
      "The layer with the package lists is cached, so a later `apt-get install` in another layer takes old " +
      "lists: it fails for packages that are gone, and installs versions without their security updates. Put " +
      "both into one `RUN`.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
RUN apt-get update
RUN apt-get install -y --no-install-recommends git
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [1104],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  deprecated_maintainer: {
    languages: ["dockerfile"],
    title: "Dockerfile: deprecated MAINTAINER",
    description: '`MAINTAINER` is deprecated and will go. Write `LABEL org.opencontainers.image.authors="…"`.',
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
MAINTAINER ann@acme.org
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
LABEL org.opencontainers.image.authors="ann@acme.org"
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [477],
    confidence: 0.9,
    effort: "small",
    risk: "low",
    kind: "suggestion",
    priority: "P3"
  }
})
