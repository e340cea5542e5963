import { ruleSet } from "../../../core/tool/AuditTool.ts"

const secretInImage =
  "What an `ENV`, an `ARG` or a copied file puts into a layer stays there: everyone who can pull the image reads " +
  "it with `docker history` or by unpacking it, also after a later layer deleted it. Pass run-time secrets when " +
  "the container starts, use `RUN --mount=type=secret` for those of the build, and change the ones that leaked."

/** Secrets in images and in deployment files. */
export const credentialRules = ruleSet({
  secret_in_image: {
    languages: ["dockerfile"],
    title: "Secret in a container image layer",
    description: secretInImage,
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
ENV DB_PASSWORD=tr4in-st0p-Lamp
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
ENV DB_PASSWORD_FILE=/run/secrets/db
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [798, 538],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P1"
  },
  secret_file_in_image: {
    languages: ["dockerfile"],
    title: "Secret file copied into a container image",
    description: secretInImage,
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
COPY .env /app/.env
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
COPY server.js /app/server.js
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [798, 538],
    confidence: 0.78,
    effort: "small",
    risk: "medium",
    priority: "P1"
  },
  secret_build_argument: {
    languages: ["dockerfile"],
    title: "Secret in a build argument (ARG) of a container image",
    description: secretInImage,
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
ARG NPM_TOKEN
RUN npm ci
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
RUN --mount=type=secret,id=npmrc npm ci
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [538],
    confidence: 0.75,
    effort: "small",
    risk: "medium",
    priority: "P2"
  },
  default_password_in_image: {
    languages: ["dockerfile"],
    title: "Default password in a container image",
    description:
      "An attacker logs in with the first password that is tried: it is in every list of defaults. The image sets it with " +
      "`ENV`, so every container that is started without another value accepts it. Leave the variable out and let the start " +
      "script end with an error while it has no value.",
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
ENV ADMIN_PASSWORD=admin
USER node
CMD ["node", "server.js"]
`,
      good: `FROM node:22-slim
ENV ADMIN_PASSWORD_FILE=/run/secrets/admin
USER node
CMD ["node", "server.js"]
`
    },
    cwe: [1392, 798],
    confidence: 0.72,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  hardcoded_credential: {
    languages: ["yaml"],
    title: "Hard-coded credential in a deployment file",
    description:
      "Anyone who can read the repository, now or in its history, can log in with it, and it cannot be changed without a " +
      "commit. Refer to a secret (`secretKeyRef`, an `env_file` outside the repository, a variable), and change the " +
      "value that was published.",
    example: {
      path: "compose.yaml",
      bad: `services:
  api:
    image: acme/api:1.4.2
    environment:
      DB_PASSWORD: tr4in-st0p-Lamp
`,
      good: `services:
  api:
    image: acme/api:1.4.2
    environment:
      DB_PASSWORD: \${DB_PASSWORD}
`
    },
    cwe: [798],
    confidence: 0.8,
    effort: "small",
    risk: "medium",
    priority: "P2"
  }
})
