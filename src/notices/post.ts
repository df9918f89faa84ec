import { type Executor, runStatement } from '#kernel/work'
import { oneLine, plainText } from './bounded-text.ts'
import { queues } from './delivery/queues.ts'
import type { Configured, Notice } from './notice.ts'

const mostOf = { recipient: 400, subject: 200, body: 20_000, about: 200 } as const

const postStatement = `
  insert into notices (kind, recipient, subject, body, about)
  select kind, recipient, subject, body, about
  from jsonb_to_recordset($1::jsonb) as given (kind text, recipient text, subject text, body text, about text)
`

/**
 * Puts notices on their way in the transaction of what they are about: either both are there or neither. What nobody here can send is
 * left out. Nothing a notice says makes this fail, because what happened must not be undone by the news of it.
 */
export async function post(
  executor: Executor,
  notices: readonly Notice[],
  configured: Configured,
): Promise<number> {
  const rows = notices.filter(({ kind }) => configured[kind]).map(rowOf)
  if (rows.length === 0) return 0
  await runStatement(executor, postStatement, [JSON.stringify(rows)])
  for (const kind of new Set(rows.map((row) => row.kind))) await queues[kind].wake(executor)
  return rows.length
}

function rowOf(notice: Notice) {
  const { kind, text, about } = notice
  return {
    kind,
    recipient: oneLine(kind === 'mail' ? notice.to : notice.channel, mostOf.recipient),
    subject: kind === 'mail' ? oneLine(notice.subject, mostOf.subject) : null,
    body: plainText(text, mostOf.body),
    about: oneLine(about, mostOf.about),
  }
}
