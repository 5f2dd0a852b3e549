/** The fields of Kubernetes objects that the suites read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  /** The entries of a ConfigMap, or of a Secret in base64. */
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: unknown;
}

export interface Kinds {
  readonly ConfigMap: Manifest;
  readonly CronJob: CronJob;
  readonly Deployment: Workload;
  readonly HorizontalPodAutoscaler: Autoscaler;
  readonly Ingress: Manifest;
  readonly Gateway: Entry;
  readonly HTTPRoute: Route;
  readonly Job: Workload;
  readonly Namespace: Manifest;
  readonly NetworkPolicy: NetworkPolicy;
  readonly PodDisruptionBudget: Manifest;
  readonly PrometheusRule: Manifest;
  readonly ScaledObject: ScaledObject;
  readonly Secret: Manifest;
  readonly Service: Service;
  readonly ServiceMonitor: Manifest;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
}

export type Labels = Readonly<Record<string, string>>;

/** A kind with pods: a Deployment, a Job, or a server of the local overlay. */
export interface Workload extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly metadata: Metadata; readonly spec: PodSpec };
  };
}

export interface CronJob extends Manifest {
  readonly spec: { readonly jobTemplate: { readonly spec: Workload['spec'] } };
}

export interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: object;
  readonly containers: readonly Container[];
  readonly volumes?: readonly { readonly name: string; readonly secret: { readonly secretName: string } }[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly securityContext?: object;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: KeyReference;
    readonly configMapKeyRef?: KeyReference;
  };
}

export interface KeyReference {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Service extends Manifest {
  readonly spec: {
    readonly clusterIP?: string;
    readonly selector: Labels;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
  };
}

export interface Autoscaler extends Manifest {
  readonly spec: { readonly maxReplicas: number; readonly scaleTargetRef: { readonly name: string } };
}

export interface ScaledObject extends Manifest {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly maxReplicaCount: number;
    readonly triggers: readonly { readonly metadata: Labels }[];
  };
}

export interface NetworkPolicy extends Manifest {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly { readonly from?: readonly Peer[]; readonly ports?: readonly PolicyPort[] }[];
    readonly egress?: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly PolicyPort[] }[];
  };
}

export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: object;
}

export interface PolicyPort {
  readonly port: number;
}

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In';
    readonly values: readonly string[];
  }[];
}

export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

export interface Entry extends Manifest {
  readonly spec: { readonly listeners: readonly { readonly name: string; readonly hostname: string }[] };
}

export interface Route extends Manifest {
  readonly spec: {
    readonly parentRefs: readonly { readonly sectionName: string }[];
    readonly hostnames: readonly string[];
    readonly rules: readonly {
      readonly backendRefs: readonly { readonly name: string; readonly port: number }[];
      readonly timeouts: { readonly request: string };
    }[];
  };
}
