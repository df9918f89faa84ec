import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { oneLine } from '#kernel/http'
import { browserFamilyOf } from './browser-family.ts'
import { readTimestamp } from './read-timestamp.ts'

const Word = (most: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: most,
    ...oneLine,
    description,
  })

/** What else the interface wants to be remembered for a few days. */
const More = Type.Unsafe<string | number | boolean | null>({
  anyOf: [{ type: 'string', maxLength: 200 }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
})

export const SubmissionBody = Type.Object(
  {
    event: Word(100, 'What happened, such as `click`.'),
    component: Word(100, 'Where in the interface.'),
    user_agent: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Of the browser. Default: the header of this request.',
      }),
    ),
    timestamp: Type.String({
      maxLength: 64,
      description:
        'When it happened: any ISO 8601 timestamp that names a day; UTC without an offset. It counts on that day (UTC), or on the day it arrives if that day is ahead or no longer kept.',
    }),
    metadata: Type.Optional(
      Type.Object(
        {
          theme: Type.Optional(Word(100, 'Name of the theme.')),
          version: Type.Optional(Word(50, 'Version of the theme.')),
        },
        {
          additionalProperties: More,
          maxProperties: 12,
          description: 'Further fields are kept for a few days.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)

type SubmissionBody = Static<typeof SubmissionBody>

/** One thing that happened in an interface. */
export interface Submission {
  readonly occurredAt: Date
  readonly receivedAt: Date
  readonly event: string
  readonly component: string
  readonly theme: string | null
  readonly version: string | null
  readonly browser: string
  readonly userAgent: string
  readonly more: Readonly<Record<string, unknown>>
}

const longestName = 64

export function readSubmission(body: SubmissionBody, header: string | undefined, now: Date): Submission {
  const { event, component, timestamp, metadata = {}, user_agent: given } = body
  const { theme, version, ...more } = metadata
  const longName = Object.keys(more).find((name) => name.length > longestName)
  if (longName !== undefined) {
    throw wrong('metadata', `must not have names of more than ${longestName} characters`)
  }
  const occurredAt = readTimestamp(timestamp)
  if (occurredAt === undefined) {
    throw wrong('timestamp', 'must be an ISO 8601 timestamp, such as 2026-11-15T17:49:51Z')
  }
  const userAgent = (given ?? header ?? '').slice(0, 1000).toWellFormed()
  return {
    occurredAt,
    receivedAt: now,
    event: event.trim(),
    component: component.trim(),
    theme: theme?.trim() ?? null,
    version: version?.trim() ?? null,
    browser: browserFamilyOf(userAgent),
    userAgent,
    more,
  }
}

function wrong(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
    details: { part: 'body' },
  })
}
