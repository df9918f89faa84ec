import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildServerPackage } from '../../scripts/build/build-packages.ts'
import type { Benchmark, Measurement } from '../benchmark.ts'

const installed = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** Builds the package and links what it depends on beside it, as npm installs it. Returns its launcher. */
async function installPackage(folder: string): Promise<string> {
  const target = join(folder, 'node_modules/tutti')
  await buildServerPackage(target, { log: console.log })
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(target, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (!existsSync(join(installed, name))) continue
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(installed, name), link)
  }
  return join(target, 'bin/tutti')
}

interface Start {
  readonly launcher: string
  readonly dataDir: string
  /** The compile cache of Node.js, which the first start writes. */
  readonly cacheDir: string
}

function environmentOf({ dataDir, cacheDir }: Pick<Start, 'dataDir' | 'cacheDir'>) {
  return {
    PATH: process.env['PATH'],
    HOME: cacheDir,
    TUTTI_DATA_DIR: dataDir,
    PORT: '0',
    CLUSTER_PORT: '0',
    METRICS_PORT: '0',
  }
}

/** Starts the platform, and stops it when it is ready. */
async function measureStart(start: Start): Promise<Measurement> {
  const startedAt = performance.now()
  const child = spawn(start.launcher, [], {
    env: environmentOf(start),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.includes(' is ready after ')) continue
      const value = performance.now() - startedAt
      const beside = { 'CPU ms': usedCpuMs(child.pid), 'memory MB': residentMb(child.pid) }
      return { value, beside }
    }
    throw new Error('the platform ended before it was ready')
  } finally {
    child.stdout.resume()
    child.kill()
    await ended
  }
}

const ticksPerSecond = 100

/** Processor time of a process, from Linux; its children, such as PostgreSQL, are not included. */
function usedCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

function residentMb(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const benchmark: Benchmark = {
  question: 'How soon is the installed package ready?',
  unit: 'ms',
  better: 'lower',
  baseline: 'later start',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'tutti-bench-start-'))
    closing.defer(() => rm(folder, { recursive: true, force: true }))
    const launcher = await installPackage(folder)
    const used = { launcher, dataDir: join(folder, 'data'), cacheDir: join(folder, 'cache') }
    let fresh = 0
    const opened = closing.move()
    return {
      versions: {},
      contenders: [
        { name: 'later start', measure: () => measureStart(used) },
        {
          name: 'first start',
          measure: () => {
            fresh += 1
            const dataDir = join(folder, `data-${fresh}`)
            return measureStart({ launcher, dataDir, cacheDir: join(folder, `cache-${fresh}`) })
          },
        },
        {
          name: 'tutti --help',
          async measure() {
            const startedAt = performance.now()
            await promisify(execFile)(launcher, ['--help'], { env: environmentOf(used) })
            return { value: performance.now() - startedAt }
          },
        },
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
