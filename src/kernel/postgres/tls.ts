import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, getCACertificates } from 'node:tls'
import { UserError } from '#kernel/errors'
import { errorCode } from './connection-errors.ts'
import type { ConnectionTarget, HostAddress } from './connection-target.ts'

/** False: without encryption. */
export type TlsAttempt = ConnectionOptions | false

/**
 * The ways to connect to a host, in the order in which they are tried.
 *
 * | sslmode     | first     | then                                | verified                                    |
 * |-------------|-----------|-------------------------------------|---------------------------------------------|
 * | disable     | plain     |                                     |                                             |
 * | allow       | plain     | TLS, when the server insists on it  | nothing, or the CA if sslrootcert is set    |
 * | prefer      | TLS       | plain, when the server has no TLS   | nothing, or the CA if sslrootcert is set    |
 * | require     | TLS       |                                     | nothing, or the CA if sslrootcert is set    |
 * | verify-ca   | TLS       |                                     | the CA                                      |
 * | verify-full | TLS       |                                     | the CA and the name of the host             |
 *
 * The files are read again for each connection, so that renewed certificates are used without a restart. Throws a `UserError` for a
 * file that cannot be read.
 */
export async function tlsAttempts(
  target: ConnectionTarget,
  { host }: HostAddress,
): Promise<readonly TlsAttempt[]> {
  const { mode } = target.tls
  if (mode === 'disable' || host.startsWith('/')) return [false]
  const options = await readTlsOptions(target)
  if (mode === 'allow') return [false, options]
  return mode === 'prefer' ? [options, false] : [options]
}

async function readTlsOptions({ variable, tls }: ConnectionTarget): Promise<ConnectionOptions> {
  const { mode, rootCertificate, certificate, key } = tls
  const read = (parameter: string, path: string) => readTlsFile(variable, parameter, path)
  const isVerified = mode === 'verify-full' || rootCertificate !== undefined
  const isSystem = rootCertificate === undefined || rootCertificate === 'system'
  return {
    rejectUnauthorized: isVerified,
    ...(isVerified && { ca: isSystem ? systemCertificates() : await read('sslrootcert', rootCertificate) }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(certificate !== undefined && { cert: await read('sslcert', certificate) }),
    ...(key !== undefined && { key: await read('sslkey', key) }),
  }
}

let certificates: string[] | undefined

function systemCertificates(): string[] {
  certificates ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
  return certificates
}

async function readTlsFile(variable: string, parameter: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UserError(
      `${variable}: the file of ${parameter} cannot be read (${errorCode(error) ?? 'unknown reason'}): ${path}`,
      { cause: error },
    )
  }
}

const noTls = 'The server does not support SSL connections'
/** The rules of the server (`pg_hba.conf`) do not allow the connection: perhaps only without its encryption. */
const notAllowed = '28000'

/** True when the other way to connect, with or without encryption, may succeed. */
export function mayTryOtherTls(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  return (
    error.message === noTls ||
    code === notAllowed ||
    code?.startsWith('ERR_SSL_') === true ||
    code === 'EPROTO'
  )
}

/** OpenSSL's codes of certificates that are not trusted, besides those that begin with `CERT_`. */
const untrusted =
  /^(?:CERT_|SELF_SIGNED|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|INVALID_CA|INVALID_PURPOSE)/

/** Returns an error that says how to fix a failed TLS connection; every other error unchanged. */
export function explainTlsError(
  error: unknown,
  { variable, tls }: ConnectionTarget,
  { host }: HostAddress,
): unknown {
  if (!(error instanceof Error)) return error
  const explain = (text: string) => new UserError(`${variable}: ${text}`, { cause: error })
  const code = errorCode(error) ?? ''
  if (error.message === noTls) {
    return explain(`${host} does not offer TLS, which sslmode=${tls.mode} demands. Enable \`ssl\` there.`)
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return explain(
      `the certificate of ${host} is for another name. Use a name of the certificate, or sslmode=verify-ca with a CA of your own.`,
    )
  }
  if (untrusted.test(code)) {
    return explain(
      `the certificate of ${host} is not trusted (${code}). Set sslrootcert to a file with the certificate of its CA.`,
    )
  }
  return error
}
