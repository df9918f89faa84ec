import type { ResponseMetadata } from '../../gateway/contract.ts'

/** The names of the headers below, which are stored with a response for its `Idempotency-Key`. */
export const responseHeaderNames = [
  'cache-control',
  'x-model-provider',
  'x-model-used',
  'x-model-attempts',
  'x-model-route',
  'x-cache',
  'x-call-id',
] as const

/** The headers that describe how a call was handled. The body has the format of another API, so they are not part of it. */
export function responseHeaders({
  callId,
  provider,
  model,
  attempts,
  cache,
  route,
}: ResponseMetadata): Partial<Record<(typeof responseHeaderNames)[number], string>> {
  return {
    'cache-control': 'no-store',
    'x-model-provider': provider,
    'x-model-used': headerText(model),
    'x-model-attempts': String(attempts),
    ...(route !== undefined && { 'x-model-route': `${route.name}@${route.version}` }),
    'x-cache': cache,
    'x-call-id': callId,
  }
}

/** Model names may contain any character, headers only printable ASCII. */
function headerText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x20-\x7e]|%/gu, (character) => encodeURIComponent(character))
}
