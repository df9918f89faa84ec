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

test('nothing changed is nothing to send', () => {
  expect(changeOf(draftOf(config), config)).toEqual({})
})

test('only what was changed is sent, in its place', () => {
  const draft = { ...draftOf(config), interval_seconds: '60', 'weights.mcp': '0', 'slow_ms.ollama': ' 2000 ' }
  expect(changeOf(draft, config)).toEqual({ interval_seconds: 60, weights: { mcp: 0 } })
})

test('what is no number is sent as none, so that the platform refuses it by its name', () => {
  const draft = { ...draftOf(config), 'disk.offline_percent': 'full', timeout_seconds: '' }
  expect(changeOf(draft, config)).toEqual({ timeout_seconds: null, disk: { offline_percent: null } })
})
