import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { locateBinaries } from './binaries.ts'
import { prepareLayout } from './layout.ts'
import { createPrograms } from './programs.ts'
import { chooseRunAs } from './run-as.ts'

/** The programs and their libraries; copying the other thousand files would only take long. */
const isUsed = (path: string) => !/\/(?:share|postgresql|pkgconfig)$|\.a$/.test(path)

test.runIf(process.getuid?.() === 0)(
  'root without user namespaces copies programs another user cannot reach',
  async () => {
    const rootOnly = await mkdtemp(join(await realpath(tmpdir()), 'tutti-programs-'))
    const dataDir = await mkdtemp(join(await realpath(tmpdir()), 'tutti-data-'))
    vi.stubEnv('PATH', '/nowhere')
    try {
      const binaries = locateBinaries()
      const hidden = { ...binaries, root: join(rootOnly, 'native') }
      await cp(binaries.root, hidden.root, { recursive: true, verbatimSymlinks: true, filter: isUsed })

      const runAs = await chooseRunAs(prepareLayout(dataDir), hidden)

      expect(runAs.account?.uid).toBeGreaterThan(0)
      expect(runAs.binaries.root).toBe(join(dataDir, `programs-${binaries.release}`))
      await createPrograms(runAs).run('postgres', ['--version'])
      const again = await chooseRunAs(prepareLayout(dataDir), hidden)
      expect(again).toEqual(runAs)
    } finally {
      vi.unstubAllEnvs()
      await rm(rootOnly, { recursive: true })
      await rm(dataDir, { recursive: true })
    }
  },
)
