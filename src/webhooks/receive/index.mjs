import { createHmac, timingSafeEqual } from 'node:crypto'
import { gunzipSync } from 'node:zlib'

/** A library for receivers of webhooks. It needs only Node.js: import it as `tutti/webhooks`, or copy this file. */

const maxBytes = 16 * 1024 * 1024
const maxIds = 10_000

/** No valid signature, malformed or too old. The message is for the receiver's log, not for the sender. */
export class WebhookRefused extends Error {
  name = 'WebhookRefused'
}

/** Reads a webhook from its raw body and headers. Throws unless it has a valid signature and a recent timestamp. */
export function readWebhook(body, headers, secret, { toleranceSeconds = 300 } = {}) {
  const text = headers['content-encoding'] === 'gzip' ? unzip(body) : body.toString()
  const id = String(headers['webhook-id'])
  const time = Number(headers['webhook-timestamp'])
  if (!(Math.abs(Date.now() / 1000 - time) <= toleranceSeconds))
    throw new WebhookRefused('the timestamp is too old or in the future')
  const given = String(headers['webhook-signature']).split(' ')
  const isSigned = [secret]
    .flat()
    .some((it) => given.some((signature) => isSignatureOf(signature, `${id}.${time}.${text}`, it)))
  if (!isSigned) throw new WebhookRefused('the signature matches none of the secrets')
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  return { ...JSON.parse(isForm ? new URLSearchParams(text).get('payload') : text), id }
}

/**
 * A listener for `http.createServer`: it answers the verification challenge, rejects invalid signatures and calls `onEvent` once per event.
 * When `onEvent` throws, it responds with 500 and the event is sent again later.
 */
export function createReceiver({ secret, onEvent, onError = () => {}, toleranceSeconds }) {
  /** By id: the events that are being handled or were. */
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
    if (known.size > maxIds) known.delete(known.keys().next().value)
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
    if (bytes > maxBytes) throw new WebhookRefused('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function unzip(body) {
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes }).toString()
  } catch (error) {
    throw new WebhookRefused('the body cannot be decompressed', { cause: error })
  }
}

function isSignatureOf(signature, text, secret) {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
