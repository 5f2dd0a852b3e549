import { X509Certificate } from 'node:crypto';
import { parseCertificates, readPemFiles, type TlsFiles } from '@jobs-delete/runtime/tls/certificates';
import { findings, ok, warning, problem, type Finding } from './finding.ts';

const dayMs = 86_400_000;

/** Checks more than the services do at the start: expiry, chain and names. */
export function examineCertificates(files: TlsFiles, nowMs: number): Promise<readonly Finding[]> {
  return findings('certificates', 'Issue the certificate and its key again.', () => {
    const { certificate, caCertificate } = parseCertificates(readPemFiles(files));
    const own = chainOf(certificate);
    const trusted = chainOf(caCertificate);
    return [
      judgeExpiry(own[0], files.GRPC_TLS_CERT, nowMs),
      ...trusted
        .filter(({ validTo }) => Date.parse(validTo) - nowMs < 30 * dayMs)
        .map((authority) => judgeExpiry(authority, files.GRPC_TLS_CA, nowMs)),
      ...judgeChain(own, trusted, files),
    ];
  });
}

function judgeExpiry(certificate: X509Certificate | undefined, path: string, nowMs: number): Finding {
  const { subject = '', validTo = '' } = certificate ?? {};
  const days = Math.floor((Date.parse(validTo) - nowMs) / dayMs);
  const message = `${path} (${subject.replaceAll('\n', ', ')}) is valid until ${validTo}`;
  if (days < 0) return problem('certificates', message, 'Issue a new certificate.');
  return days < 14
    ? warning('certificates', message, 'Issue a new certificate. The services load it without a restart.')
    : ok('certificates', message);
}

function judgeChain(own: X509Certificate[], trusted: X509Certificate[], files: TlsFiles): Finding[] {
  const found: Finding[] = [];
  const noAuthority = trusted.filter(({ ca }) => !ca).map(({ subject }) => subject.replaceAll('\n', ', '));
  if (noAuthority.length > 0) {
    const message = `${files.GRPC_TLS_CA} contains a certificate that is not an authority's: ${noAuthority.join('; ')}`;
    found.push(problem('certificates', message, "Replace it with the authority's own certificate."));
  }
  const last = own.at(-1);
  const issuer = trusted.find(
    (authority) => last?.checkIssued(authority) && last.verify(authority.publicKey),
  );
  if (issuer === undefined && !trusted.some(({ raw }) => last?.raw.equals(raw))) {
    const message = `${files.GRPC_TLS_CERT} is not issued by an authority in ${files.GRPC_TLS_CA}`;
    const advice = 'Append the intermediate certificates. Ignore this if each side has its own authority.';
    found.push(warning('certificates', message, advice));
  }
  if (own[0]?.subjectAltName === undefined) {
    const message = `${files.GRPC_TLS_CERT} has no subject alternative name`;
    found.push(problem('certificates', message, 'Issue it for the DNS name of the service.'));
  }
  return found;
}

function chainOf(pem: Buffer): X509Certificate[] {
  const blocks =
    pem.toString('latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}
