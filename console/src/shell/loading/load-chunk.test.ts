import { expect, test } from 'vitest'
import { createImportAfterDownload } from './import-after-download.ts'
import { ChunkFailure, loadChunk } from './load-chunk.ts'

/** Imports that fail as often as given, and a platform that always responds. */
function setUp(failures: number, reasons: Array<'upgraded' | 'blocked' | undefined> = [], withoutStyles = 0) {
  const steps: string[] = []
  let left = failures
  let styleFailures = withoutStyles
  return {
    steps,
    load: () =>
      loadChunk(
        () => {
          steps.push('import')
          left -= 1
          return left >= 0 ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('loaded')
        },
        {
          untilAnswered: () => {
            steps.push('wait')
            return Promise.resolve()
          },
          reloadStyles: () => {
            steps.push('styles')
            styleFailures -= 1
            return styleFailures >= 0 ? Promise.reject(new Error('no styles')) : Promise.resolve()
          },
          findReload: () => {
            steps.push('compare')
            return Promise.resolve(reasons.shift())
          },
        },
      ),
  }
}

test('an import that works needs nothing else', async () => {
  const { load, steps } = setUp(0)
  expect(await load()).toBe('loaded')
  expect(steps).toEqual(['import'])
})

test('a failed import is repeated once the platform responds', async () => {
  const { load, steps } = setUp(2)
  expect(await load()).toBe('loaded')
  expect(steps).toEqual(['import', 'wait', 'styles', 'import', 'wait', 'styles', 'import'])
})

test.each(['upgraded', 'blocked'] as const)('a file that stays missing is reported as %s', async (reason) => {
  const { load } = setUp(9, [reason])
  const failure = await load().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ChunkFailure)
  expect(failure).toMatchObject({ reason })
})

test('a platform that stops again is waited for again', async () => {
  const { load, steps } = setUp(4, [undefined])
  expect(await load()).toBe('loaded')
  expect(steps.filter((step) => step === 'compare').length).toBe(1)
})

test('a part is not shown without its styles', async () => {
  const { load, steps } = setUp(1, [], 1)
  expect(await load()).toBe('loaded')
  expect(steps).toEqual(['import', 'wait', 'styles', 'wait', 'styles', 'import'])
})

test('a part loads after a restart in a browser that keeps a failed module as failed', async () => {
  let isAway = true
  let isFailed = false
  const importAfterDownload = createImportAfterDownload(() =>
    isAway
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve({ ok: true, arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) }),
  )
  const importModule = () => {
    isFailed ||= isAway
    return isFailed ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve('loaded')
  }
  const loaded = await loadChunk(() => importAfterDownload(['assets/part.js'], importModule), {
    untilAnswered: () => {
      isAway = false
      return Promise.resolve()
    },
    reloadStyles: () => Promise.resolve(),
    findReload: () => Promise.resolve('blocked' as const),
  })
  expect(loaded).toBe('loaded')
})
