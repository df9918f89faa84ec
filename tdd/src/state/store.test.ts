import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyState } from './state.ts'
import { updateState } from './store.ts'

test('a lock is awaited although the machine was suspended meanwhile', () => {
  const root = mkdtempSync(join(tmpdir(), 'tutti-tdd-store-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const lock = join(root, '.tdd/state.json.lock')
  mkdirSync(join(root, '.tdd'))
  writeFileSync(lock, String(process.pid))
  const before = Date.now()
  let readings = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    readings += 1
    // The other process goes on after us.
    if (readings === 3) rmSync(lock)
    return before + (readings === 1 ? 0 : 5000)
  })
  onTestFinished(() => clock.mockRestore())
  expect(updateState({ root, marked: true }, () => ({ ...emptyState, packages: {} })).revision).toBe(1)
})
