import { describe, expect, test } from 'vitest'
import { combineRuns, filesToRepeat } from './combine-runs.ts'
import type { FileResult } from './run-files.ts'

const result = (file: string, results: Partial<FileResult> = {}): FileResult => ({
  file,
  project: 'server',
  seconds: 1,
  passed: [],
  failed: [],
  skipped: 0,
  ...results,
})
const failure = (title?: string) => ({ title, error: 'expected 1 to be 2' })

describe('failed files', () => {
  test('run again, except units and files that passed', () => {
    const files = [
      result('test/http/a.test.ts', { failed: [failure('a')] }),
      result('src/b.test.ts', { project: 'unit', failed: [failure('b')] }),
      result('test/http/c.test.ts', { passed: ['c'] }),
    ]
    expect(filesToRepeat(files)).toEqual(['test/http/a.test.ts'])
  })

  test('do not run again when there are more than ten', () => {
    const failed = Array.from({ length: 11 }, (_, index) => result(`${index}`, { failed: [failure('a')] }))
    expect(filesToRepeat(failed)).toEqual([])
    expect(filesToRepeat(failed.slice(1)).length).toBe(10)
  })
})

describe('a failed test', () => {
  const first = [result('a', { failed: [failure('one'), failure('two')] })]

  test('is flaky when it passes alone, and failed when it fails twice', () => {
    const { failed, flaky } = combineRuns(first, [
      result('a', { passed: ['one'], failed: [failure('two'), failure('three')] }),
    ])
    expect(flaky.map(({ title }) => title)).toEqual(['one'])
    expect(failed.map(({ title }) => title)).toEqual(['two'])
  })

  test('stays failed when it did not run again, or was skipped', () => {
    expect(combineRuns(first, []).failed.length).toBe(2)
    expect(combineRuns(first, [result('a', { failed: [failure()] })]).failed.length).toBe(2)
  })

  test('of two with the same title stays failed when one of them fails again', () => {
    const again = [result('a', { passed: ['one', 'two'], failed: [failure('two')] })]
    expect(combineRuns(first, again).failed.map(({ title }) => title)).toEqual(['two'])
  })
})

test('a file that failed as a whole passes alone when only its tests can fail', () => {
  const first = [result('a', { failed: [failure()] })]
  expect(combineRuns(first, [result('a', { passed: ['one'] })]).flaky.length).toBe(1)
  expect(combineRuns(first, [result('a', { passed: ['one'], failed: [failure()] })]).failed.length).toBe(1)
  expect(combineRuns(first, [result('a')]).failed.length).toBe(1)
})
