import type { AnsweredBy } from '../../gateway/contract.ts'

/** The headers below, by name, for an answer that is stored to be sent again. */
export const answerHeaderNames = [
  'cache-control',
  'x-model-provider',
  'x-model-used',
  'x-model-attempts',
  'x-cache',
  'x-call-id',
] as const

/** Says who answered. The body is somebody else's shape, so this stands beside it. */
export function answerHeaders({
  callId,
  provider,
  model,
  attempts,
  cache,
}: AnsweredBy): Record<(typeof answerHeaderNames)[number], string> {
  return {
    'cache-control': 'no-store',
    'x-model-provider': provider,
    'x-model-used': headerText(model),
    'x-model-attempts': String(attempts),
    'x-cache': cache,
    'x-call-id': callId,
  }
}

/** A provider names its models as it likes; a header takes printable ASCII alone. */
function headerText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x20-\x7e]|%/gu, (character) => encodeURIComponent(character))
}
