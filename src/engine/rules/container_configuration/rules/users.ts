import { ruleSet } from "../../../core/tool/AuditTool.ts"

const rootUser =
  "A process that is broken into as root may write every file of the image and of mounted volumes, install " +
  "programs, and is one kernel or runtime bug away from the host. Create a user in the final stage, give it the " +
  "directories it writes to, and switch with `USER` (in Kubernetes `runAsNonRoot: true`) before the program starts."

/** The user that the program of a container runs as. */
export const userRules = ruleSet({
  root_user: {
    languages: ["dockerfile", "yaml"],
    title: "Container runs as root",
    description: rootUser,
    example: {
      path: "Dockerfile",
      bad: `FROM node:22-slim
COPY . /app
CMD ["node", "/app/server.js"]
`,
      good: `FROM node:22-slim
COPY . /app
USER node
CMD ["node", "/app/server.js"]
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P2"
  },
  root_server: {
    languages: ["dockerfile"],
    title: "Container runs as root: server with workers of another user",
    description:
      "An attacker who breaks into the main process of the server may write every file of the image and of mounted volumes. " +
      "Servers such as nginx start as root and hand requests to workers that are not, and the image sets no `USER`. Use the " +
      "unprivileged variant of the image and a port above 1024.",
    example: {
      path: "Dockerfile",
      bad: `FROM nginx:1.27-alpine
COPY dist /usr/share/nginx/html
`,
      good: `FROM nginxinc/nginx-unprivileged:1.27-alpine
COPY dist /usr/share/nginx/html
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  root_user_allowed: {
    languages: ["yaml"],
    title: "Container may run as root (runAsNonRoot: false)",
    description: rootUser,
    example: {
      path: "k8s/pod.yaml",
      bad: `apiVersion: v1
kind: Pod
metadata: { name: api }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      securityContext: { runAsNonRoot: false }
`,
      good: `apiVersion: v1
kind: Pod
metadata: { name: api }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      securityContext: { runAsNonRoot: true }
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "medium",
    priority: "P3"
  },
  root_user_agent: {
    languages: ["yaml"],
    title: "Container of a node agent runs as root",
    description: rootUser,
    example: {
      path: "k8s/agent.yaml",
      bad: `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: exporter }
spec:
  template:
    spec:
      containers:
        - name: exporter
          image: acme/exporter:1.4.2
          securityContext: { runAsUser: 0 }
          resources:
            limits: { memory: 64Mi }
`,
      good: `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: exporter }
spec:
  template:
    spec:
      containers:
        - name: exporter
          image: acme/exporter:1.4.2
          securityContext: { runAsUser: 1000 }
          resources:
            limits: { memory: 64Mi }
`
    },
    cwe: [250],
    confidence: 0.6,
    effort: "small",
    risk: "medium",
    priority: "P3"
  }
})
