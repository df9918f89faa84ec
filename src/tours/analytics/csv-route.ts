import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { ToursOptions } from '../route-options.ts'
import { tourParams } from '../routes/schemas.ts'
import { may } from '../routes/shared.ts'
import { readTour } from '../store/read-tours.ts'
import { readAnalytics } from './analytics-route.ts'
import { timeframes } from './day-stats.ts'

const mediaType = 'text/csv; charset=utf-8'
const tables = ['days', 'steps'] as const

/** The analytics of a tour as CSV. The path differs from that of the JSON, where browsers get a page. */
export function addCsvRoute(routes: HttpServer, { database }: Pick<ToursOptions, 'database'>): void {
  routes.get(
    '/tours/analytics/:tour',
    {
      config: { access: may.seeAnalytics },
      schema: {
        operationId: 'downloadTourAnalytics',
        summary: 'Download tour analytics as CSV',
        description: 'The days or the steps of a tour, one per line, with a header line.',
        params: tourParams,
        querystring: Type.Object({
          timeframe: Type.Enum([...timeframes], {
            default: '30d',
            description: 'Number of days including today; `all`: since the first event.',
          }),
          table: Type.Enum([...tables], { default: 'days', description: 'The days, or the steps.' }),
        }),
        response: {
          200: {
            description: 'The table.',
            content: { 'text/csv': { schema: Type.String() } },
          },
        },
      },
    },
    async ({ params, query }, reply) => {
      const tour = await readTour(database, params.tour)
      const { daily, steps } = await readAnalytics(database, tour, query.timeframe)
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-disposition': `attachment; filename="${tour.id}-${query.table}.csv"`,
        })
        .type(mediaType)
        .send(writeCsv(query.table === 'days' ? daily : steps, columns[query.table]))
    },
  )
}

const columns = {
  days: ['date', 'views', 'starts', 'completions', 'dismissals'],
  steps: [
    'weight',
    'id',
    'label',
    'views',
    'completions',
    'drop_offs',
    'drop_off_rate',
    'missing',
    'average_time',
  ],
} as const

type Field = string | number | null

/** RFC 4180: lines end with CR LF, and fields with quotes, commas or line breaks are quoted. */
export function writeCsv(rows: readonly Readonly<Record<string, Field>>[], names: readonly string[]): string {
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))]
  return lines.map((fields) => `${fields.map(writeField).join(',')}\r\n`).join('')
}

function writeField(value: Field | undefined): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  // Spreadsheets run text that begins like a formula.
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
