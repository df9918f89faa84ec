import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** The files of `src` that a file loads, with what they load in turn; not what `import()` loads later. */
async function loadedBy(file: string, loaded = new Set<string>()): Promise<Set<string>> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  const text = await readFile(file, 'utf8')
  for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^'";=]*?from '([#.][^']+)'/gm)) {
    const found = target.startsWith('#') ? fileOfAlias(target) : join(dirname(file), target)
    await loadedBy(found, loaded)
  }
  return loaded
}

function fileOfAlias(alias: string): string {
  const [, kind, path] = /^#(settings|migrations)\/(.+)$/.exec(alias) ?? []
  return kind === undefined ? `src/${alias.slice(1)}/index.ts` : `src/${path}/${kind}.ts`
}

const publicApis = (files: ReadonlySet<string>) => [...files].filter((file) => file.endsWith('/index.ts'))

test('tutti serve loads no capability before PostgreSQL starts', async () => {
  const files = await loadedBy('src/app/commands/serve.ts')
  expect([...files]).toContain('src/kernel/database/embedded/ensure-running.ts')
  expect(publicApis(files).filter((file) => !file.startsWith('src/kernel/'))).toEqual([])
  expect([...files]).not.toContain('src/kernel/http/index.ts')
})

test('the command line loads nothing of the platform but its errors', async () => {
  const files = await loadedBy('src/app/cli.ts')
  expect(files.size).toBeGreaterThan(10)
  expect(publicApis(files)).toEqual(['src/kernel/errors/index.ts'])
})
