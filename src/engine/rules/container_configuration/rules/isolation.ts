import { ruleSet } from "../../../core/tool/AuditTool.ts"

const privilegedContainer =
  "`privileged` and capabilities such as `SYS_ADMIN` switch off what separates the container from the machine: its " +
  "processes can mount the host's disks and load kernel modules. Drop all capabilities and add back the few that " +
  "are needed, or pass the single device."

const hostAccess =
  "The runtime's socket, the host's system directories and its process or network space are ways out of the " +
  "container: with the socket alone one starts a container that owns the machine. Use named volumes and " +
  "published ports; where a tool must talk to the runtime, put a filtering proxy in front of the socket."

const privilegeEscalation =
  "`allowPrivilegeEscalation: true` lets a set-uid program in the container turn an ordinary user into root. Set it " +
  "to `false`; ordinary services never notice."

/** What separates a container from its host and its neighbours. */
export const isolationRules = ruleSet({
  privileged: {
    languages: ["yaml"],
    title: "Privileged container or dangerous capability",
    description: privilegedContainer,
    example: {
      path: "compose.yaml",
      bad: `services:
  api:
    image: acme/api:1.4.2
    privileged: true
`,
      good: `services:
  api:
    image: acme/api:1.4.2
    devices: [/dev/snd]
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  privileged_agent: {
    languages: ["yaml"],
    title: "Privileged container of a node agent",
    description: privilegedContainer,
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
          securityContext: { privileged: true }
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
          securityContext: { capabilities: { add: [NET_ADMIN] } }
          resources:
            limits: { memory: 64Mi }
`
    },
    cwe: [250],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  host_access: {
    languages: ["yaml"],
    title: "Container escape: access to the host's socket, paths or namespaces",
    description: hostAccess,
    example: {
      path: "compose.yaml",
      bad: `services:
  api:
    image: acme/api:1.4.2
    volumes:
      - /var/run/docker.sock:/var/run/docker.sock
`,
      good: `services:
  api:
    image: acme/api:1.4.2
    volumes:
      - data:/var/lib/data
`
    },
    cwe: [250, 668],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P2"
  },
  host_namespace: {
    languages: ["yaml"],
    title: "Container shares the host's network or IPC namespace",
    description:
      "A container that is broken into reaches every port of the machine, those bound to localhost included, or reads the " +
      "shared memory of its processes. The service shares the host's network or IPC namespace. Publish the ports that are " +
      "needed and leave the namespaces apart.",
    example: {
      path: "compose.yaml",
      bad: `services:
  api:
    image: acme/api:1.4.2
    network_mode: host
`,
      good: `services:
  api:
    image: acme/api:1.4.2
    ports: ["127.0.0.1:8080:8080"]
`
    },
    cwe: [668],
    confidence: 0.85,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  host_access_agent: {
    languages: ["yaml"],
    title: "Node agent with access to the host's socket, paths or namespaces",
    description: hostAccess,
    example: {
      path: "k8s/agent.yaml",
      bad: `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: exporter }
spec:
  template:
    spec:
      hostNetwork: true
      containers:
        - name: exporter
          image: acme/exporter:1.4.2
          securityContext: { runAsUser: 1000 }
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
    cwe: [250, 668],
    confidence: 0.6,
    effort: "medium",
    risk: "medium",
    priority: "P3"
  },
  privilege_escalation: {
    languages: ["yaml"],
    title: "Privilege escalation allowed (allowPrivilegeEscalation)",
    description: privilegeEscalation,
    example: {
      path: "k8s/pod.yaml",
      bad: `apiVersion: v1
kind: Pod
metadata: { name: api }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      securityContext: { allowPrivilegeEscalation: true }
`,
      good: `apiVersion: v1
kind: Pod
metadata: { name: api }
spec:
  containers:
    - name: api
      image: acme/api:1.4.2
      securityContext: { allowPrivilegeEscalation: false }
`
    },
    cwe: [250],
    confidence: 0.85,
    effort: "small",
    risk: "low",
    priority: "P2"
  },
  privilege_escalation_agent: {
    languages: ["yaml"],
    title: "Privilege escalation allowed in a node agent",
    description: privilegeEscalation,
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
          securityContext: { allowPrivilegeEscalation: true }
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
          securityContext: { allowPrivilegeEscalation: false }
          resources:
            limits: { memory: 64Mi }
`
    },
    cwe: [250],
    confidence: 0.6,
    effort: "small",
    risk: "low",
    priority: "P3"
  },
  no_limits: {
    languages: ["yaml"],
    title: "Missing memory limit of a workload",
    description:
      "A leak or a burst of requests takes the memory of the whole node, and the kernel then kills whatever it picks, " +
      "often a neighbour. Set `resources.requests` from what the workload uses and `resources.limits.memory` above it.",
    example: {
      path: "k8s/api.yaml",
      bad: `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  template:
    spec:
      containers:
        - name: api
          image: acme/api:1.4.2
`,
      good: `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  template:
    spec:
      containers:
        - name: api
          image: acme/api:1.4.2
          resources:
            limits: { memory: 256Mi }
`
    },
    cwe: [770],
    confidence: 0.8,
    effort: "small",
    risk: "low",
    priority: "P3"
  }
})
