import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * The headers of Helmet that matter for an API: no answer may be rendered, framed, sniffed or fetched over plain HTTP.
 * Computed once, because they are the same for every answer.
 */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = headersOf(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Other services may run on subdomains.
    strictTransportSecurity: { includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  }),
);

function headersOf(middleware: ReturnType<typeof helmet>): [string, string][] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  middleware(request, response, (error: unknown) => {
    if (error !== undefined) throw error as Error;
  });
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}
