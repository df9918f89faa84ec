import { expect, test } from 'vitest'
import type { StatusConfig } from '../health-queries.ts'
import { changeOf, draftOf } from './ConfigDrawer.tsx'

const each = (value: number) => ({
  database: value,
  queue: value,
  disk: value,
  ollama: value,
  openai: value,
  anthropic: value,
  gemini: value,
  providers: value,
  vector_db: value,
  mcp: value,
})

const config: StatusConfig = {
  interval_seconds: 30,
  timeout_seconds: 5,
  page_title: 'Status',
  slow_ms: each(2000),
  weights: each(10),
  damping: { worse: 2, better: 2, flapping_changes: 4, flapping_minutes: 10 },
  disk: { degraded_percent: 90, offline_percent: 98 },
  providers: [],
  updated_at: null,
  updated_by: null,
}

test('sends no fields of an unchanged configuration', () => {
  expect(changeOf(draftOf(config), config)).toEqual({})
})

test('sends only the changed fields, nested as in the configuration', () => {
  const draft = { ...draftOf(config), interval_seconds: '60', 'weights.mcp': '0', 'slow_ms.ollama': ' 2000 ' }
  expect(changeOf(draft, config)).toEqual({ interval_seconds: 60, weights: { mcp: 0 } })
})

test('sends an invalid number as null, so that the server refuses the field by name', () => {
  const draft = { ...draftOf(config), 'disk.offline_percent': 'full', timeout_seconds: '' }
  expect(changeOf(draft, config)).toEqual({ timeout_seconds: null, disk: { offline_percent: null } })
})
