import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeImageArchive } from '../../scripts/release/image-archive.ts'
import { planRelease } from '../../scripts/release/plan-release.ts'
import { hasProgram } from '../support/has-program.ts'
import { quickFolder } from '../support/quick-folder.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(await quickFolder(), 'tutti-release-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const git = async (...args: string[]) => {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
  await run('git', [...identity, ...args], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z' },
  })
}
const commit = async () => {
  await git('add', '--all')
  await git('commit', '--quiet', '--allow-empty', '--message', 'A state of the tree')
}
const write = (path: string, text: string) => writeFile(join(folder, path), text)

describe('the plan of a release', () => {
  /** A repository with the files of this one that have the version. */
  beforeAll(async () => {
    for (const path of [
      'package.json',
      'package-lock.json',
      'sdk/typescript/package.json',
      'sdk/python/pyproject.toml',
      'deploy/helm/tutti/Chart.yaml',
      'deploy/Containerfile',
    ]) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await copyFile(join(root, path), join(folder, path))
    }
    await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n### Added\n\n- A part.\n')
    await git('init', '--quiet')
    await commit()
  })

  test('has the version in every file, and the entries of the changelog', async () => {
    const plan = await planRelease(folder, { version: '7.8.9-rc.1', dryRun: true })
    expect(plan).toMatchObject({ tag: 'v7.8.9-rc.1', epoch: Date.parse('2026-01-02T03:04:05Z') / 1000 })
    expect(plan.notes).toContain('- A part.')
    expect([...plan.changes.keys()]).toHaveLength(7)
    for (const [path, text] of plan.changes)
      expect(text, path).toContain(path.endsWith('.toml') ? '"7.8.9rc1"' : '7.8.9-rc.1')
    expect(plan.changes.get('CHANGELOG.md')).toContain(
      '## Unreleased\n\n## 7.8.9-rc.1 - 2026-01-02\n\n### Added',
    )
    expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).not.toContain('7.8.9')
  })

  test('is refused for a text that is no version', async () => {
    await expect(planRelease(folder, { version: '7.8', dryRun: true })).rejects.toThrow(
      /^7\.8 is not a version/,
    )
  })

  test('is refused with uncommitted changes, which it names', async () => {
    await write('notes.txt', 'a note')
    await expect(planRelease(folder, { dryRun: true })).rejects.toThrow(
      /uncommitted changes.*\n\?\? notes\.txt$/,
    )
    await commit()
  })

  test('is refused for a released version, except for a dry run at its tag', async () => {
    await git('tag', 'v7.0.0')
    await expect(planRelease(folder, { version: '7.0.0', dryRun: true })).resolves.toMatchObject({
      version: '7.0.0',
    })
    await expect(planRelease(folder, { version: '7.0.0', dryRun: false })).rejects.toThrow(
      /^7\.0\.0 was released: the tag v7\.0\.0 exists/,
    )
    await commit()
    await expect(planRelease(folder, { version: '7.0.0', dryRun: true })).rejects.toThrow(/was released/)
  })

  test('is refused when the changelog has no entry', async () => {
    await write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 7.0.0 - 2026-01-01\n\n- Before.\n')
    await commit()
    await expect(planRelease(folder, { version: '7.1.0', dryRun: true })).rejects.toThrow(
      /CHANGELOG\.md has no entry for 7\.1\.0/,
    )
  })
})

test.skipIf(!hasProgram('buildah'))('two archives of an image have the same bytes', async () => {
  const context = join(folder, 'image')
  await mkdir(context)
  await writeFile(
    join(context, 'Containerfile'),
    'FROM scratch AS server\nARG VERSION\nLABEL version=$VERSION\nCOPY a /a\n',
  )
  const archives = ['one.tar', 'two.tar'].map((name) => join(folder, name))
  for (const archive of archives) {
    await writeFile(join(context, 'a'), 'content')
    await writeImageArchive(archive, {
      containerfile: join(context, 'Containerfile'),
      context,
      target: 'server',
      name: '1.2.3',
      epoch: 1_700_000_000,
      arguments: { VERSION: '1.2.3' },
    })
  }
  const [one, two] = await Promise.all(archives.map((archive) => readFile(archive)))
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true)
  const { stdout } = await run('tar', ['-xOf', archives[0] ?? '', 'index.json'])
  expect(stdout).toContain('"org.opencontainers.image.ref.name":"1.2.3"')
})
