/** A failed probe, with a sentence for the operator. The sentence contains no data of the node. */
export class FailedProbe extends Error {
  override readonly name = 'FailedProbe'
  readonly refused: boolean

  constructor(message: string, options: { readonly refused?: boolean } = {}) {
    super(message)
    this.refused = options.refused ?? false
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was closed before the response was complete',
  EPIPE: 'the connection was closed before the response was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was closed before the response was complete',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not accept the connection in time',
  UND_ERR_HEADERS_OVERFLOW: 'the response is not valid HTTP',
}

/** Describes a connection error. */
export function explainConnectionError(error: unknown): FailedProbe {
  if (error instanceof FailedProbe) return error
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return new FailedProbe('connection refused', { refused: true })
  const known = reasons[code]
  if (known !== undefined) return new FailedProbe(known)
  if (code.startsWith('HPE_')) return new FailedProbe('the response is not valid HTTP')
  if (/CERT|TLS|SSL|SIGNATURE/.test(code))
    return new FailedProbe(`the certificate or TLS connection is not accepted (${code})`)
  return new FailedProbe(`the node could not be asked (${code})`)
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof Error ? error.name : 'unknown error'
}
