export interface ToldError {
  readonly said: string | undefined
  /** Its code, or its type. */
  readonly code: string | undefined
}

/**
 * What a server says of an error. `{error: {message, type, code}}` is how the providers in the cloud, those compatible
 * with them and our own gateway put it, `{error: "…"}` the model runtime; gateways of earlier versions add a `code` to that.
 */
export function readErrorBody(body: unknown): ToldError {
  const error = isRecord(body) ? (body['error'] ?? body) : undefined
  if (typeof error === 'string')
    return { said: error, code: isRecord(body) ? textOf(body['code']) : undefined }
  if (!isRecord(error)) return { said: undefined, code: undefined }
  return { said: textOf(error['message']), code: textOf(error['code']) ?? textOf(error['type']) }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
