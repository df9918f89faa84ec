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

/** A node sends at most a line break after the last line of a response. */
const maxRestBytes = 1024
const maxRestMs = 1000

/**
 * Reads a stream after its last line to its end, because only then the connection is used again. Never throws. The connection of a node that
 * sends more, or does not end the response, is closed.
 */
export async function readRest(
  { body }: Pick<RoutedResponse, 'body'>,
  chunks: AsyncIterator<Uint8Array>,
): Promise<void> {
  const timer = setTimeout(() => body.destroy(), maxRestMs)
  try {
    for (let bytes = 0; bytes <= maxRestBytes; ) {
      const { done, value } = await chunks.next()
      if (done === true) return
      bytes += value.length
    }
    body.destroy()
  } catch {
    // The connection is closed already.
  } finally {
    clearTimeout(timer)
  }
}
