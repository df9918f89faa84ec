import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { UserError } from '#kernel/errors'
import { telemetrySettings } from './settings.ts'

const readHeaders = (text: string | undefined) =>
  readSettings(telemetrySettings, { OTEL_EXPORTER_OTLP_HEADERS: text }).otlpHeaders

test.each([
  [undefined, {}],
  ['X-Key=abc=, tenant = one%20two ; more ,empty=,', { 'x-key': 'abc=', tenant: 'one two' }],
])('headers %j are read', (text, headers) => {
  expect(readHeaders(text)).toEqual(headers)
})

test.each(['hunter2', '=hunter2', 'a b=hunter2', 'a=hunter2%0Ab', 'a=hunter2%'])(
  'headers %j are refused without printing them',
  (text) => {
    expect(() => readHeaders(text)).toThrow(
      new UserError(
        'OTEL_EXPORTER_OTLP_HEADERS must be headers such as x-api-key=secret,x-tenant=one, with values URL-encoded',
      ),
    )
  },
)

test.each([
  ['500', 500],
  ['30s', 30_000],
])('OTEL_METRIC_EXPORT_INTERVAL=%s is %i ms', (text, milliseconds) => {
  const settings = readSettings(telemetrySettings, { OTEL_METRIC_EXPORT_INTERVAL: text })
  expect(settings.metricExportIntervalMs).toBe(milliseconds)
})
