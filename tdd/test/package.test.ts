import { readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { buildTool, toolFile } from './support/tool.ts'

const dist = dirname(toolFile)
const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'),
) as {
  files: string[]
  dependencies?: object
}

beforeAll(buildTool)

test('what is installed stays under 1 MB and needs no other package', () => {
  expect(manifest.files).toEqual(['dist'])
  expect(manifest.dependencies).toBeUndefined()
  const names = readdirSync(dist)
  const bytes = names.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)
  expect(bytes).toBeLessThan(1_000_000)
  for (const name of names.filter((file) => /\.[cm]js$/.test(file))) {
    const text = readFileSync(join(dist, name), 'utf8')
    const loaded = [...text.matchAll(/\brequire\((["'`])([^"'`$]+)\1\)|\bfrom\s*["']([^"']+)["']/g)].map(
      ([, , cjs, esm]) => cjs ?? esm,
    )
    for (const module of loaded) expect(builtinModules).toContain(module?.replace(/^node:/, ''))
  }
})

test('an edit is answered by a small file that loads nothing but the file system', () => {
  const text = readFileSync(toolFile, 'utf8')
  expect(text.length).toBeLessThan(32_000)
  const loaded = [...text.matchAll(/\brequire\((["'`])([^"'`$]+)\1\)/g)].map(([, , name]) => name)
  expect([...new Set(loaded)]).toEqual(['node:fs'])
})
