const zones = ['a', 'b', 'c'];
export const nodeNames = zones.map((zone) => `node-${zone}`);

const nodes = zones.map((zone) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: `node-${zone}`,
    labels: {
      'kubernetes.io/hostname': `node-${zone}`,
      'topology.kubernetes.io/zone': `zone-${zone}`,
    },
  },
  status: {
    capacity: { cpu: '8', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' },
    allocatable: { cpu: '8', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' },
  },
}));

const volumes = ['first', 'second'].map((name) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '2Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: `/volumes/${name}` },
  },
}));

/** A node in each of three zones, and volumes for the local overlay's two servers. */
export const nodesAndVolumes = { apiVersion: 'v1', kind: 'List', items: [...nodes, ...volumes] };
