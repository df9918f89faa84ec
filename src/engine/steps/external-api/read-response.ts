import { isPlainJson, JsonText, largeText, plainValue } from '#kernel/json-text'
import { type OutboundResponse, readRetryAfter } from '#kernel/outbound'
import { isSecretName } from '#kernel/telemetry'
import type { LoopTurns } from '#kernel/timers'
import type { ExternalApiStep } from '../../definition/step-types.ts'
import type { SecretValues } from '../secret-values.ts'
import { maxLevels } from '../shallow.ts'
import { StepFailure, type StepUsage } from '../step-failure.ts'

type Api = ExternalApiStep['api']

interface Reader {
  readonly accountId: string
  /** For the checks of large bodies. */
  readonly turns: LoopTurns
}

/** The output of a call: its body, or with `output: response` status, headers and body. */
export async function outputOf(
  { output = 'body' }: Api,
  { status, headers, body }: OutboundResponse,
  { used, ...reader }: Reader & { readonly used: SecretValues },
): Promise<unknown> {
  const read = await readBody(body, [headers['content-type']].flat()[0] ?? '', reader)
  return output === 'body' ? read : { status, headers: safeHeadersOf(headers, used), body: plainValue(read) }
}

/** The failure for a status that is not in `success_status`; undefined when it is. */
export function checkStatus(
  { success_status: expected = ['2xx'] }: Api,
  response: OutboundResponse,
  { usage, used }: { readonly usage: StepUsage; readonly used: SecretValues },
): StepFailure | undefined {
  const { status, body, headers } = response
  if (expected.some((one) => matches(one, status))) return undefined
  return new StepFailure({
    code: 'EXTERNAL_API_FAILED',
    message: messageOf(status),
    details: {
      status,
      headers: safeHeadersOf(headers, used),
      body: used.redactText(body.toString()).slice(0, maxShownBody),
    },
    retryAfterMs: readRetryAfter(headers['retry-after']),
    usage,
  })
}

function matches(expected: number | string, status: number): boolean {
  return typeof expected === 'number' ? expected === status : expected[0] === String(status)[0]
}

function messageOf(status: number): string {
  return status >= 300 && status < 400
    ? `The API redirects (status ${status}); use the URL it redirects to.`
    : `The API responded with status ${status}.`
}

// Texts are redacted before they are cut: a part of a secret would not be recognised.
const maxShownBody = 2000
const maxHeaders = 50
const maxHeaderLength = 1000

/** The headers that may be stored: cookies and other credentials are left out. */
function safeHeadersOf(headers: OutboundResponse['headers'], used: SecretValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => value !== undefined && !/^set-cookie2?$/i.test(name) && !isSecretName(name))
      .slice(0, maxHeaders)
      .map(([name, value]) => [name, used.redactText([value].flat().join(', ')).slice(0, maxHeaderLength)]),
  )
}

async function readBody(body: Buffer, contentType: string, { accountId, turns }: Reader): Promise<unknown> {
  const text = body.toString('utf8')
  if (text === '') return null
  if (!/json/i.test(contentType) && !/^\s*[[{]/.test(text)) return text
  const isText = text.length >= largeText && (await turns.run(accountId, isPlainJson(text, { maxLevels })))
  if (isText) return new JsonText(text)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
