import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { ExecutionListEntry } from '#engine'
import { access, readRate, requireAccount } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeEntry, Entry, entryFields } from './entries.ts'
import { filterOf, filterQuery, stateQuery } from './filters.ts'
import type { ListOptions } from './list.ts'

type Field = (typeof entryFields)[number]
type EntryBody = ReturnType<typeof describeEntry>

interface Format {
  readonly contentType: string
  readonly extension: string
  readonly head: (fields: readonly Field[]) => string
  readonly line: (entry: EntryBody, fields: readonly Field[]) => string
}

const formats: Readonly<Record<'csv' | 'ndjson', Format>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    head: (fields) => `${fields.join(',')}\r\n`,
    line: (entry, fields) => `${fields.map((field) => csvCell(entry[field])).join(',')}\r\n`,
  },
  ndjson: {
    contentType: 'application/x-ndjson',
    extension: 'ndjson',
    head: () => '',
    line: (entry, fields) =>
      `${JSON.stringify(Object.fromEntries(fields.map((field) => [field, entry[field]])))}\n`,
  },
}

/** Exports of one account at the same time, in this process. */
const maxExports = 2

/** Exports executions as a file. */
export function addExportRoute(routes: HttpServer, { engine, usernamesOf }: ListOptions): void {
  const running = new Map<string, number>()

  /** Counts an export of the account until the result is called. Throws `too_many_requests`. */
  function begin(account: string): () => void {
    const count = running.get(account) ?? 0
    if (count >= maxExports) {
      throw kernelFailure('too_many_requests', {
        message: `At most ${maxExports} exports can run at the same time. Wait until one has ended.`,
        details: { limit: maxExports },
        retryAfterSeconds: 5,
      })
    }
    running.set(account, count + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const left = (running.get(account) ?? 1) - 1
      if (left === 0) running.delete(account)
      else running.set(account, left)
    }
  }

  /** The usernames of the accounts of a page; each account is looked up once in an export. */
  function createNames() {
    const names = new Map<string, string>()
    const known = new Set<string>()
    return async (entries: readonly ExecutionListEntry[]) => {
      const missing = [...new Set(entries.map(({ accountId }) => accountId))].filter((id) => !known.has(id))
      for (const [id, name] of missing.length === 0 ? [] : await usernamesOf(missing)) names.set(id, name)
      for (const id of missing) known.add(id)
      return names
    }
  }

  routes.get(
    `${workflowsPrefix}/executions/export`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'exportExecutions',
        summary: 'Export executions',
        description:
          'Sends the newest 100,000 matching executions as a file, newest first. The header `X-Total` has the number of rows, `X-Truncated` whether older ones are left out. In CSV, texts that a spreadsheet would take for a formula begin with an apostrophe. Two exports of an account can run at the same time.',
        querystring: Type.Object(
          {
            format: Type.Enum(['csv', 'ndjson'], { default: 'csv' }),
            columns: Type.Optional(
              Type.Array(Type.Enum([...entryFields]), {
                minItems: 1,
                maxItems: entryFields.length,
                description: 'The fields of `GET /executions` to export, in this order. Default: all.',
              }),
            ),
            ...stateQuery,
            ...filterQuery,
          },
          { additionalProperties: false },
        ),
        response: {
          200: {
            description: 'The file: one execution on each line.',
            content: {
              'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) },
              'application/x-ndjson': { schema: Type.Unsafe<Readable>(Entry) },
            },
          },
        },
      },
    },
    async ({ principal, query }, reply) => {
      const filter = filterOf(principal, query)
      const format = formats[query.format]
      const fields = query.columns ?? entryFields
      const end = begin(requireAccount(principal))
      const prepared = await engine.executions.export(filter).catch((error: unknown) => {
        end()
        throw error
      })
      async function* lines() {
        const namesOf = createNames()
        const head = format.head(fields)
        if (head !== '') yield head
        for await (const entries of prepared.pages()) {
          const names = fields.includes('account_name') ? await namesOf(entries) : new Map<string, string>()
          yield entries.map((entry) => format.line(describeEntry(entry, names), fields)).join('')
        }
      }
      const file = Readable.from(lines(), { objectMode: false })
      // Also when the client goes away before the end, or without reading anything.
      file.once('close', end)
      reply.raw.once('close', () => file.destroy())
      return reply
        .header('content-type', format.contentType)
        .header('content-disposition', `attachment; filename="executions.${format.extension}"`)
        .header('cache-control', 'no-store')
        .header('x-total', String(prepared.total))
        .header('x-truncated', String(prepared.isTruncated))
        .send(file)
    },
  )
}

const formula = /^[=+\-@\t\r]/

/** A cell of a CSV file (RFC 4180). Numbers stay numbers; a text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvCell(value: EntryBody[Field]): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
