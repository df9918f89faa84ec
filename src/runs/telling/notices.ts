import type { Engine, ExecutionRecord, Happening } from '#engine'
import { isDatabaseUnavailable } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { runStatement } from '#kernel/work'
import type { Notice, Notices } from '#notices'
import { describeFailure } from '../reading/failure.ts'
import { measure } from '../reading/measures.ts'
import { dollars } from '../reading/units.ts'
import { noticeWishesOf, tellsFailure, wantsNotices } from './notice-wishes.ts'
import { isEnd, recordAt } from './record-at.ts'
import type { Telling } from './teller.ts'

interface NoticesTellingOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly notices: Pick<Notices, 'configured' | 'post'>
  /** The address of an account's owner; undefined when there is none, or the account is gone or disabled. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** Where people see an execution; undefined when nobody has said where this server is reached. */
  readonly linkOf: (executionId: string) => string | undefined
  readonly log: Logger
}

/** Tells people how executions ended: by mail, and in Slack. */
export function createNoticesTelling(options: NoticesTellingOptions): Telling {
  const { engine, notices, addressOf, linkOf, log } = options

  async function noticesOf({ executionId, input, events }: Happening): Promise<Notice[]> {
    const ends = events.filter(isEnd)
    if (ends.length === 0 || !wantsNotices(input, notices.configured)) return []
    const record = await engine.executions.read(executionId)
    // It was deleted meanwhile.
    if (record === undefined) return []
    const { addresses, toAccount, slackChannel } = noticeWishesOf(input)
    const own = toAccount ? await addressOf(record.accountId) : undefined
    const recipients = own === undefined ? addresses : [...addresses, own]
    return ends
      .map((event) => recordAt(record, event))
      .filter((then) => then.status === 'completed' || tellsFailure(input, flowTellsFailure(then)))
      .flatMap((then) => {
        const words = describeEnd(then, linkOf(executionId))
        const mails = recipients.map((to) => ({
          kind: 'mail' as const,
          to,
          ...words.mail,
          about: executionId,
        }))
        if (slackChannel === undefined) return mails
        return [...mails, { kind: 'slack', channel: slackChannel, text: words.slack, about: executionId }]
      })
  }

  return {
    feeds: [
      async (executor, happenings) => {
        const all: Notice[] = []
        for (const happening of happenings) {
          try {
            const some = await noticesOf(happening)
            all.push(...some)
            // Executions are read beside the transaction, and one that is idle for too long is ended.
            if (some.length > 0) await runStatement(executor, 'select 1', [])
          } catch (error) {
            if (isDatabaseUnavailable(error)) throw error
            // One that cannot be told of must not keep all others waiting.
            log.error({ err: error, executionId: happening.executionId }, 'nobody could be told of an end')
          }
        }
        await notices.post(executor, all)
      },
    ],
  }
}

function flowTellsFailure({ definition }: ExecutionRecord): boolean | undefined {
  return definition.global_configuration?.error_handling?.notification_on_failure
}

const verbs = { completed: 'has completed', failed: 'has failed', cancelled: 'was cancelled' } as const

const mostOfReason = 1000

/** The execution is over, as it was then. What it made is not told: who may see that is decided where it is read. */
function describeEnd(record: ExecutionRecord, link: string | undefined) {
  const { id, definition, flowVersion, status, spent, startedAt, finishedAt } = record
  const { elapsedMs, items } = measure(record, finishedAt ?? new Date())
  const verb = verbs[status as keyof typeof verbs]
  const reason = status === 'completed' ? undefined : reasonOf(record)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Why', reason],
    ['Execution', id],
    ['Flow', `${record.flowId}, version ${flowVersion}`],
    ['Started', startedAt === null ? undefined : moment(startedAt)],
    ['Ended', finishedAt === null ? undefined : moment(finishedAt)],
    ['Took', elapsedMs === null ? undefined : duration(elapsedMs)],
    ['Cost', `$${dollars(spent)}`],
    ['Items', items === null ? undefined : `${items.succeeded} of ${items.total} succeeded`],
  ]
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  const took = elapsedMs === null ? '' : ` after ${duration(elapsedMs)}`
  return {
    mail: {
      subject: `${definition.label} ${verb}`,
      text: [
        `"${definition.label}" ${verb}${took}.`,
        lines.join('\n'),
        ...(link === undefined ? [] : [link]),
        'You get this mail because this execution was to be told to your address.',
      ].join('\n\n'),
    },
    slack: [
      `"${definition.label}" ${verb}${took}, for $${dollars(spent)}.`,
      ...(reason === undefined ? [] : [reason]),
      link ?? `Execution ${id}`,
    ].join('\n'),
  }
}

function reasonOf(record: ExecutionRecord): string {
  const { code, message } = describeFailure(record)
  return `${message.slice(0, mostOfReason)} (${code})`
}

function moment(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${Math.round(milliseconds / 100) / 10} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
