/** The error in a response of a provider. */
export interface ProviderErrorBody {
  readonly providerMessage: string | undefined
  /** The code of the error, else its type. */
  readonly code: string | undefined
}

/**
 * Reads the body of an error response. Cloud providers, compatible servers and this gateway send
 * `{error: {message, type, code}}`, the model runtime `{error: "…"}`; gateways of earlier versions add a `code` to the latter.
 */
export function readErrorBody(body: unknown): ProviderErrorBody {
  const error = isRecord(body) ? (body['error'] ?? body) : undefined
  if (typeof error === 'string')
    return { providerMessage: error, code: isRecord(body) ? textOf(body['code']) : undefined }
  if (!isRecord(error)) return { providerMessage: undefined, code: undefined }
  return { providerMessage: textOf(error['message']), code: textOf(error['code']) ?? textOf(error['type']) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
