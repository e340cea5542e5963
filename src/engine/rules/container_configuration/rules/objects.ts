import { ruleSet } from "../../../core/tool/AuditTool.ts"

/** What clusters reject or do otherwise than a manifest says, and what charts and compose files open. */
export const objectRules = ruleSet({
  removed_api_version: {
    languages: ["yaml"],
    title: "Kubernetes API version that is no longer served",
    description:
      "The manifest cannot be applied: clusters of today do not know the version that it names. Change it to " +
      "the current one; `kubectl convert` shows which fields move.",
    example: {
      path: "k8s/job.yaml",
      bad: `apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: report
`,
      good: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
`
    },
    cwe: [477],
    confidence: 0.88,
    effort: "small",
    risk: "low",
    priority: "P2",
    category: "correctness"
  },
  selector_mismatch: {
    languages: ["yaml"],
    title: "Selector that does not match the pod template",
    description:
      "The cluster rejects the workload, or it never finds its own pods. A label of its selector is missing in " +
      "its template or has another value. Make the two equal.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: web
    spec: { containers: [] }
`,
      good: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec: { containers: [] }
`
    },
    cwe: [670],
    confidence: 0.92,
    effort: "small",
    risk: "low",
    priority: "P2",
    category: "correctness"
  },
  duplicate_variable: {
    languages: ["yaml"],
    title: "Environment variable that is set twice",
    description: "A reader takes the first value, the container gets the last. One of the two is left over. Remove it.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: v1
kind: Pod
metadata:
  name: api
spec:
  containers:
    - name: api
      image: corp/api:1.4
      env:
        - { name: MODE, value: a }
        - { name: MODE, value: b }
`,
      good: `apiVersion: v1
kind: Pod
metadata:
  name: api
spec:
  containers:
    - name: api
      image: corp/api:1.4
      env:
        - { name: MODE, value: a }
`
    },
    cwe: [670],
    confidence: 0.88,
    effort: "small",
    risk: "low",
    priority: "P3",
    category: "correctness"
  },
  service_account_token: {
    languages: ["yaml"],
    title: "Pod with the token of the default service account",
    description:
      "A program that is taken over finds credentials for the cluster in its own file system, with the rights " +
      "that anyone gave the namespace's default account. Set `automountServiceAccountToken: false`, or name an " +
      "account of its own.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  template:
    spec:
      containers:
        - name: api
          image: corp/api:1.4
`,
      good: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  template:
    spec:
      automountServiceAccountToken: false
      containers:
        - name: api
          image: corp/api:1.4
`
    },
    cwe: [250],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  },
  writable_root_filesystem: {
    languages: ["yaml"],
    title: "Container with a writable root file system",
    description:
      "A program that is taken over can replace the programs and libraries beside it. Set " +
      "`readOnlyRootFilesystem: true` and mount volumes where it writes.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  template:
    spec:
      containers:
        - name: api
          image: corp/api:1.4
          securityContext:
            runAsNonRoot: true
`,
      good: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  template:
    spec:
      containers:
        - name: api
          image: corp/api:1.4
          securityContext:
            runAsNonRoot: true
            readOnlyRootFilesystem: true
`
    },
    cwe: [732],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3",
    kind: "suggestion"
  },
  published_database_port: {
    languages: ["yaml"],
    title: "Database port published on all addresses",
    description:
      "Anyone who reaches the host reaches the database, because Docker's rules come before those of the host's " +
      "firewall. The port is published without an address. Publish it as `127.0.0.1:…`, or leave it out: " +
      "services of one network need no published port.",
    example: {
      path: "compose.yaml",
      bad: `services:
  db:
    image: postgres:16.4
    ports:
      - "5432:5432"
`,
      good: `services:
  db:
    image: postgres:16.4
    ports:
      - "127.0.0.1:5432:5432"
`
    },
    cwe: [668],
    confidence: 0.65,
    effort: "small",
    risk: "low",
    priority: "P2",
    kind: "advisory"
  },
  chart_default_privileges: {
    languages: ["yaml"],
    title: "Helm chart with privileges by default",
    description:
      "Every installation that does not know of the value gets containers with rights over their node. The chart's own " +
      "values switch them on. Leave them off and document which use needs them.",
    example: {
      path: "chart/values.yaml",
      bad: `securityContext:
  privileged: true
`,
      good: `securityContext:
  privileged: false
`,
      besides: { "chart/Chart.yaml": "apiVersion: v2\nname: agent\nversion: 1.0.0\n" }
    },
    cwe: [250],
    confidence: 0.6,
    effort: "small",
    risk: "medium",
    priority: "P2",
    kind: "advisory"
  }
})
