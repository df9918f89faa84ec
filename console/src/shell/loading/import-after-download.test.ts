import { expect, test } from 'vitest'
import { createImportAfterDownload } from './import-after-download.ts'

/** A platform with files, and a browser that keeps a module that could not be fetched as failed. */
function setUp() {
  const platform = { isAway: false, missing: new Set<string>() }
  const requests: string[] = []
  const failedModules = new Set<string>()
  const importAfterDownload = createImportAfterDownload((file) => {
    requests.push(file)
    if (platform.isAway) return Promise.reject(new TypeError('Failed to fetch'))
    const ok = !platform.missing.has(file)
    return Promise.resolve({ ok, arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) })
  })
  const load = (...files: string[]) =>
    importAfterDownload(files, () => {
      if (platform.isAway) for (const file of files) failedModules.add(file)
      return files.some((file) => failedModules.has(file))
        ? Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
        : Promise.resolve('loaded')
    })
  return { platform, requests, load }
}

test('a chunk loads when the platform is back, although the browser never fetches a failed module again', async () => {
  const { platform, load } = setUp()
  platform.isAway = true
  await expect(load('page.js', 'shared.js')).rejects.toThrow('Failed to fetch')
  platform.isAway = false
  expect(await load('page.js', 'shared.js')).toBe('loaded')
})

test('a file that two chunks share is downloaded once', async () => {
  const { requests, load } = setUp()
  await Promise.all([load('one.js', 'shared.js'), load('two.js', 'shared.js')])
  expect(await load('three.js', 'shared.js')).toBe('loaded')
  expect(requests.toSorted()).toEqual(['one.js', 'shared.js', 'three.js', 'two.js'])
})

test('only the file that was missing is downloaded again', async () => {
  const { platform, requests, load } = setUp()
  platform.missing.add('page.js')
  await expect(load('page.js', 'shared.js')).rejects.toThrow('page.js could not be loaded')
  platform.missing.clear()
  expect(await load('page.js', 'shared.js')).toBe('loaded')
  expect(requests).toEqual(['page.js', 'shared.js', 'page.js'])
})
