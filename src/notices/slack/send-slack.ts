import { Client } from 'undici'
import type { SlackChannel } from '../channels.ts'
import type { SendNotice } from '../delivery/deliver.ts'
import type { Sent } from '../delivery/judge.ts'

const mostAnswerBytes = 4096

/** What Slack says when it is the message that is wrong. Everything else somebody can mend, here or there. */
const finalAnswers: ReadonlySet<string> = new Set([
  'channel_is_archived',
  'channel_not_found',
  'invalid_payload',
  'no_text',
  'posting_to_general_channel_denied',
  'user_not_found',
])

/**
 * The address is an operator's setting, and may well mean a relay in a private network, which the guard for outbound calls exists to
 * refuse; so this is plain undici with bounds of its own. Redirects are answers, so the address is shown to nobody else.
 */
export function createSendSlack({ url }: SlackChannel, timeoutMs: number): SendNotice {
  const { origin, pathname, search } = new URL(url)
  return async ({ recipient, body }, signal) => {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const client = new Client(origin, { pipelining: 0 })
    try {
      const answer = await client.request({
        method: 'POST',
        path: `${pathname}${search}`,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(payloadOf(recipient, body)),
        signal: deadline,
      })
      const text = await readBeginning(answer.body)
      return judgeAnswer(answer.statusCode, text, answer.headers['retry-after'])
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) return later(`Slack did not answer within ${timeoutMs / 1000} s.`)
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
      return later(`Slack could not be reached (${code}).`)
    } finally {
      await client.destroy()
    }
  }
}

/** What is said to Slack. Three characters make mentions and links in its markup; written like this they are only themselves. */
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
 * | Slack answers                                        | then                                                 |
 * |------------------------------------------------------|------------------------------------------------------|
 * | 2xx                                                  | arrived                                              |
 * | 4xx, and says that it is the channel or the message  | final                                                |
 * | 429                                                  | later, not before `Retry-After`                      |
 * | anything else, also that the webhook is gone         | later: somebody can set another                      |
 */
export function judgeAnswer(status: number, text: string, retryAfter: string | string[] | undefined): Sent {
  if (status >= 200 && status < 300) return { arrived: true }
  const said = text.trim()
  const problem = `Slack answered ${status}${said === '' ? '' : `: ${said}`}`
  const isFinal = status >= 400 && status < 500 && finalAnswers.has(said)
  return { arrived: false, problem, isFinal, retryAfterMs: readSeconds(retryAfter) }
}

function later(problem: string): Sent {
  return { arrived: false, problem, isFinal: false }
}

function readSeconds(header: string | string[] | undefined): number | undefined {
  const text = [header].flat()[0]?.trim() ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined
}

/** The status is what counts. A body that breaks off or never ends takes nothing back. */
async function readBeginning(chunks: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      kept.push(chunk)
      bytes += chunk.length
      if (bytes >= mostAnswerBytes) break
    }
  } catch {
    // What came before is enough.
  }
  return Buffer.concat(kept).subarray(0, mostAnswerBytes).toString('utf8')
}
