import { cpSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { createFolder } from './support/project.ts'
import { buildTool, runProgram, toolFile } from './support/tool.ts'

const dist = dirname(toolFile)
const packageFolder = dirname(dist)
const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'),
) as {
  files: string[]
  bin: Record<string, string>
  dependencies?: object
}
const program = join(packageFolder, manifest.bin['tutti-tdd'] ?? '')

beforeAll(buildTool)

test('the installed package stays under 1 MB and needs no other package', () => {
  expect(manifest.files).toEqual(['bin', 'dist'])
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

test('an edit hook loads one small file and only the file system module', () => {
  const text = readFileSync(toolFile, 'utf8')
  expect(text.length).toBeLessThan(32_000)
  const loaded = [...text.matchAll(/\brequire\((["'`])([^"'`$]+)\1\)/g)].map(([, , name]) => name)
  expect([...new Set(loaded)]).toEqual(['node:fs'])
})

test('npm finds the program to link before the build: git keeps it, executable', async () => {
  const listed = await runProgram('git', ['ls-files', '--stage', '--', program], { cwd: packageFolder })
  expect(listed.stdout).toMatch(/^100755 /)
  using folder = createFolder()
  const link = join(folder.root, 'tutti-tdd')
  symlinkSync(program, link)
  expect(await runProgram(link, ['--help'], { cwd: folder.root })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('tutti-tdd init'),
    stderr: '',
  })
})

test('without a build the program names the build command, and a hook call is allowed', async () => {
  using folder = createFolder()
  const copy = join(folder.root, 'bin/tutti-tdd.cjs')
  cpSync(program, copy)
  expect(await runProgram(process.execPath, [copy, 'status'], { cwd: folder.root })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('npm run build --workspace tdd'),
  })
  for (const [args, stdout] of [
    [['hook', '{}'], '{"continue":true}\n'],
    [['hook', '--agent', 'cursor'], '{"permission":"allow"}\n'],
    [['hook', '--agent', 'claude-code'], ''],
  ] as const)
    expect(await runProgram(process.execPath, [copy, ...args], { cwd: folder.root })).toMatchObject({
      code: 0,
      stdout,
    })
})
