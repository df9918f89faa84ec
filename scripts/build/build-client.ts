import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

/** Builds the package of the TypeScript client: one module for each entry point, and their types. */
export async function buildClient(
  root: string,
  folder: string,
  read: (path: string) => Promise<string>,
): Promise<void> {
  const source = join(root, 'sdk/typescript')
  const { private: _, ...manifest } = JSON.parse(await read('sdk/typescript/package.json')) as {
    readonly private: boolean
    readonly exports: Readonly<Record<string, string>>
    readonly dependencies: Readonly<Record<string, string>>
  }
  const dist = join(folder, 'dist')
  await mkdir(dist, { recursive: true })
  await bundle(source, dist, Object.keys(manifest.dependencies))
  await writeTypes(root, dist)
  await copyFile(join(source, 'README.md'), join(folder, 'README.md'))
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([entry, file]) => {
      const name = file.replace('./src/', './dist/').replace('.ts', '')
      return [entry, { types: `${name}.d.ts`, default: `${name}.js` }]
    }),
  )
  const published = { ...manifest, exports, files: ['dist'] }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}

async function bundle(source: string, dist: string, external: readonly string[]): Promise<void> {
  const built = await rolldown({
    cwd: source,
    input: { index: 'src/index.ts', webhooks: 'src/webhooks.ts' },
    platform: 'neutral',
    external: [...external, /^node:/],
  })
  try {
    await built.write({ dir: dist, format: 'esm' })
  } finally {
    await built.close()
  }
}

/** The files from which types of the package come, and their names there. */
const typeFiles: Readonly<Record<string, string>> = {
  'console/src/api/schema.generated': 'schema.generated',
  'src/webhooks/receive/index': 'receive',
}

async function writeTypes(root: string, dist: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'tutti-client-'))
  try {
    const project = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: root,
        outDir: scratch,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: [join(root, 'sdk/typescript/src/*.ts')],
    }
    await writeFile(join(scratch, 'tsconfig.json'), JSON.stringify(project))
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', scratch])
    const own = join(scratch, 'sdk/typescript/src')
    for (const file of await readdir(own)) await writeDeclaration(join(own, file), join(dist, file))
    await writeDeclaration(
      join(scratch, 'console/src/api/schema.generated.d.ts'),
      join(dist, 'schema.generated.d.ts'),
    )
    await copyFile(join(root, 'src/webhooks/receive/index.d.mts'), join(dist, 'receive.d.ts'))
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Copies a declaration with the imports that the package has. */
async function writeDeclaration(from: string, to: string): Promise<void> {
  const text = await readFile(from, 'utf8')
  const moved = text.replaceAll(/'((?:\.\.?\/)+)([^']+?)\.(?:ts|mjs)'/g, (_, _dots: string, path: string) => {
    return `'./${typeFiles[path] ?? path}.js'`
  })
  await writeFile(to, moved)
}
