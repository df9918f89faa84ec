import type { AnsweredBy } from '../../gateway/contract.ts'

/** Says who answered. The body is somebody else's shape, so this stands beside it. */
export function answerHeaders({
  callId,
  provider,
  model,
  attempts,
  cache,
}: AnsweredBy): Record<string, string> {
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
