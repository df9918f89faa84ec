import type { RoutedResponse } from '#cluster'
import { ProviderFailure } from '../provider-failure.ts'
import { routeLabel } from './explain-route.ts'

/** The body as text. Throws a ProviderFailure when it is larger than `maxBytes`. */
export async function readBody({ body, route }: RoutedResponse, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw new ProviderFailure({
        kind: 'malformed',
        message: `${routeLabel(route)} sent a response that is too large.`,
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
