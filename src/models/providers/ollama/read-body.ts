import type { RoutedAnswer } from '#cluster'
import { ProviderFailure } from '../provider-failure.ts'
import { whoIs } from './explain-route.ts'

/** The whole body as text, unless it is longer than it may be. */
export async function readBody({ body, route }: RoutedAnswer, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > mostBytes) {
      throw new ProviderFailure({ kind: 'malformed', message: `${whoIs(route)} sent an answer without end.` })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
