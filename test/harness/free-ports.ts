/** Variables that make a service listen on free ports of loopback. */
export const freePorts = {
  HOST: '127.0.0.1',
  PORT: '0',
  DASHBOARD_PORT: '0',
  GRPC_PORT: '0',
  ADMIN_PORT: '0',
} as const;
