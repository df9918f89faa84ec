import { createHmac, timingSafeEqual } from 'node:crypto'
import { gunzipSync } from 'node:zlib'

/** For receivers of webhooks. This file needs nothing but Node.js: import it as `tutti/webhooks`, or copy it. */

const mostBytes = 16 * 1024 * 1024
const mostIds = 10_000

/** Not ours, not whole, or too old. What it says is for the log of the receiver, not for the sender. */
export class WebhookRefused extends Error {
  name = 'WebhookRefused'
}

/** Reads a webhook, given its body as it came, not parsed, and its headers. Throws unless one of the secrets has signed it lately. */
export function readWebhook(body, headers, secret, { toleranceSeconds = 300 } = {}) {
  const text = headers['content-encoding'] === 'gzip' ? unzip(body) : body.toString()
  const id = String(headers['webhook-id'])
  const time = Number(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - time) <= toleranceSeconds))
    throw new WebhookRefused('too old, or from the future')
  const given = String(headers['webhook-signature']).split(' ')
  const isSigned = [secret]
    .flat()
    .some((it) => given.some((signature) => isOf(signature, `${id}.${time}.${text}`, it)))
  if (!isSigned) throw new WebhookRefused('none of the secrets has signed it')
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  return { ...JSON.parse(isForm ? new URLSearchParams(text).get('payload') : text), id }
}

/**
 * A listener for `http.createServer`. It proves itself, refuses what is not signed, and calls `onEvent` once for each event. When that
 * throws, the answer is 500 and the event comes again later.
 */
export function createReceiver({ secret, onEvent, onError = () => {}, toleranceSeconds }) {
  /** By id: what is being handled, or was. */
  const known = new Map()

  async function handle(message) {
    const { id } = message
    const before = known.get(id)
    if (before !== undefined) {
      await before
      return
    }
    const handling = Promise.resolve().then(() => onEvent(message))
    known.set(id, handling)
    if (known.size > mostIds) known.delete(known.keys().next().value)
    try {
      await handling
    } catch (error) {
      known.delete(id)
      throw error
    }
  }

  return async (request, response) => {
    try {
      const message = readWebhook(await readBody(request), request.headers, secret, { toleranceSeconds })
      if (message.event === 'webhook.verification') {
        response.end(JSON.stringify({ challenge: message.challenge }))
        return
      }
      await handle(message)
      response.writeHead(204).end()
    } catch (error) {
      onError(error)
      response.writeHead(error instanceof WebhookRefused ? 400 : 500).end()
    }
  }
}

async function readBody(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new WebhookRefused('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function unzip(body) {
  try {
    return gunzipSync(body, { maxOutputLength: mostBytes }).toString()
  } catch (error) {
    throw new WebhookRefused('cannot be decompressed', { cause: error })
  }
}

function isOf(signature, text, secret) {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
