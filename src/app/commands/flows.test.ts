import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exportFlow, listFlows, showFlow } from './flows.ts'

const folder = join(tmpdir(), 'tutti-never-started')

beforeEach(() => {
  vi.stubEnv('DATABASE_URL', '')
  vi.stubEnv('TUTTI_DATA_DIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['list', () => listFlows({}), 'npx tutti login --url https://'],
  ['show', () => showFlow('review', undefined), 'npx tutti login --url https://'],
  ['export', () => exportFlow('review', {}), 'npx tutti flows pull review'],
])('flows %s without a platform here says how to reach another one', async (_what, run, advice) => {
  const failure = await run().then(String, String)
  expect(failure).toContain(`there is no ${folder}`)
  expect(failure).toContain(advice)
  expect(failure).not.toContain('database')
})
