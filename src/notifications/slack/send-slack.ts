import { Client } from 'undici'
import { readRetryAfter } from '#kernel/outbound'
import type { SlackChannel } from '../channels.ts'
import type { SendResult } from '../delivery/classify-attempt.ts'
import type { SendNotification } from '../delivery/deliver.ts'

const maxResponseBytes = 4096

/** Slack's error codes for a message or channel it will never accept. An operator can correct the cause of every other error. */
const finalErrors: ReadonlySet<string> = new Set([
  'channel_is_archived',
  'channel_not_found',
  'invalid_payload',
  'no_text',
  'posting_to_general_channel_denied',
  'user_not_found',
])

/**
 * Sends messages to a Slack incoming webhook. The URL is an operator's setting and may be a relay in a private network, which the guard
 * for outbound calls refuses; so this uses plain undici with bounds of its own. Redirects are not followed, so that the secret URL
 * is sent to no other host.
 */
export function createSendSlack({ url }: SlackChannel, timeoutMs: number): SendNotification {
  const { origin, pathname, search } = new URL(url)
  return async ({ recipient, body }, signal) => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const client = new Client(origin, { pipelining: 0 })
    try {
      const response = await client.request({
        method: 'POST',
        path: `${pathname}${search}`,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(payloadOf(recipient, body)),
        signal: deadline,
      })
      const text = await readBeginning(response.body)
      return classifyResponse(response.statusCode, text, response.headers['retry-after'])
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) return retryable(`Slack did not respond within ${timeoutMs / 1000} s.`)
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
      return retryable(`Slack could not be reached (${code}).`)
    } finally {
      await client.destroy()
    }
  }
}

/** The request body. Escaping &, < and > turns mentions and links of Slack's markup into plain text. */
export function payloadOf(channel: string, text: string) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return {
    channel,
    text: escaped,
    mrkdwn: false,
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  }
}

/**
 * | response of Slack                                    | result                                               |
 * |------------------------------------------------------|------------------------------------------------------|
 * | 2xx                                                  | arrived                                              |
 * | 4xx with one of `finalErrors`                        | final                                                |
 * | 429                                                  | retry, not before `Retry-After`                      |
 * | anything else, also that the webhook is gone         | retry: an operator can configure another webhook     |
 */
export function classifyResponse(
  status: number,
  text: string,
  retryAfter: string | string[] | undefined,
): SendResult {
  if (status >= 200 && status < 300) return { arrived: true }
  const code = text.trim()
  const problem = `Slack responded with ${status}${code === '' ? '' : `: ${code}`}`
  const isFinal = status >= 400 && status < 500 && finalErrors.has(code)
  return { arrived: false, problem, isFinal, retryAfterMs: readRetryAfter(retryAfter) }
}

function retryable(problem: string): SendResult {
  return { arrived: false, problem, isFinal: false }
}

/** Reads at most `maxResponseBytes`. An error while reading is ignored, because the status alone decides about delivery. */
async function readBeginning(chunks: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes >= maxResponseBytes) break
    }
  } catch {
    // The part that was read is enough for the log.
  }
  return Buffer.concat(kept).subarray(0, maxResponseBytes).toString('utf8')
}
