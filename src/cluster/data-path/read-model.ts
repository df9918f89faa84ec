import { kernelFailure } from '#kernel/errors'

const largestModelName = 512

/** Which model a body asks for. Throws what the caller should read when it does not say. */
export function readModel(body: Buffer): string {
  const request = parse(body)
  // Older clients call it `name`.
  const model = request['model'] ?? request['name']
  if (model === undefined || model === '') throw invalid('model is required')
  if (typeof model !== 'string' || model.length > largestModelName) throw invalid('model must be a string')
  return model
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  if (body.length === 0) throw invalid('missing request body')
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>
  } catch {
    throw invalid('the request body is not valid JSON')
  }
  throw invalid('the request body must be a JSON object')
}

function invalid(message: string) {
  return kernelFailure('invalid_input', { message })
}
