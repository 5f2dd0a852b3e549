import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * Helmet's, of those that say something where answers are data for programs: nothing of them is to be rendered,
 * framed, guessed at or fetched over plain HTTP. They are the same for every answer, and so asked for once.
 */
export const securityHeaders: readonly (readonly [name: string, value: string])[] = headersOf(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // The domain may have other names below it, which are not ours to speak for.
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
