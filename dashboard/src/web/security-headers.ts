import helmet from 'helmet';

/** Every page loads only files of the dashboard, and no page runs inside another. */
export function securityHeaders(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure ? { includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    // A form's target sees the origin, which the CSRF check needs. A foreign site sees nothing.
    referrerPolicy: { policy: 'same-origin' },
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}
