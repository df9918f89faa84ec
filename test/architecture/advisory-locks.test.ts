import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('every advisory lock has a number of its own', async () => {
  const found: string[] = []
  for await (const path of glob('src/**/*.ts')) {
    const text = await readFile(path, 'utf8')
    found.push(...(text.match(/= 7_488_413_\d{3}\b/g) ?? []))
  }
  expect(found.length).toBeGreaterThan(6)
  expect(found.filter((number, index) => found.indexOf(number) !== index)).toEqual([])
})
