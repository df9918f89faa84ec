import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { parseSync } from 'oxc-parser'

/** The capabilities each capability may import, besides the kernel. A capability without an entry fails the check. */
const capabilityMayUse: Readonly<Record<string, readonly string[]>> = {
  identity: [],
  cluster: [],
  connections: ['identity'],
  models: ['identity', 'cluster'],
  webhooks: ['identity'],
  engine: ['models', 'connections'],
  notifications: [],
  'executions-api': ['engine', 'webhooks', 'notifications'],
  outbox: ['executions-api', 'engine', 'webhooks', 'notifications'],
  triggers: ['executions-api', 'engine', 'identity'],
  workflows: [
    'outbox',
    'executions-api',
    'engine',
    'connections',
    'webhooks',
    'notifications',
    'models',
    'identity',
    'triggers',
  ],
  tours: ['identity'],
  status: ['models', 'cluster', 'engine', 'identity', 'notifications'],
  mcp: ['executions-api', 'engine', 'models', 'identity'],
  orchestra: ['outbox', 'executions-api', 'engine', 'webhooks', 'notifications', 'models', 'identity'],
}

/** Kernel modules in their order: a module may import only the modules before it. */
const kernelOrder = [
  'errors',
  'timers',
  'threads',
  'json-text',
  'checks',
  'config',
  'telemetry',
  'pages',
  'native-api',
  'postgres',
  'database',
  'encryption',
  'objects',
  'partitions',
  'pacing',
  'backup',
  'outbound',
  'events',
  'live-settings',
  'work',
  'limits',
  'metrics-history',
  'http',
  'idempotency',
]

/** What a module declares about itself, for a process that does not load the rest of it. */
const entryPoint = /^#(?:settings|migrations)\/(?:kernel\/)?[a-z-]+$/

/** Example data a module offers to the tests of other modules. */
const testEntryPoint = /^#testing\/[a-z-]+$/

interface Module {
  readonly kind: 'app' | 'capability' | 'kernel'
  readonly name: string
}

export interface ImportReport {
  readonly files: number
  readonly imports: number
  readonly problems: readonly string[]
}

/** Reads every source file of the server and lists each import that goes where it may not. */
export async function checkImports(root = process.cwd()): Promise<ImportReport> {
  const problems: string[] = []
  let imports = 0
  const files = globSync('src/**/*.ts', { cwd: root })
  for (const file of files) {
    for (const target of importsOf(join(root, file))) {
      imports += 1
      const problem = importProblem(file, target)
      if (problem !== undefined) problems.push(`${file}: "${target}" ${problem}`)
    }
  }
  return { files: files.length, imports, problems }
}

function importsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'))
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => readLiteral(file, moduleRequest) ?? []),
  ]
}

function readLiteral(file: string, { start, end }: { start: number; end: number }): string | undefined {
  return /^['"](.+)['"]$/.exec(readFileSync(file, 'utf8').slice(start, end))?.[1]
}

/** The problem with an import, or undefined. Pure, so that each rule has a test. */
export function importProblem(file: string, target: string): string | undefined {
  const from = moduleOf(file)
  if (target.startsWith('.')) {
    const to = moduleOf(normalize(join(dirname(file), target)))
    const same = from !== undefined && to !== undefined && from.kind === to.kind && from.name === to.name
    return same ? undefined : 'reaches into another module; import its public API'
  }
  if (!target.startsWith('#')) return undefined
  if (entryPoint.test(target)) return from?.kind === 'app' ? undefined : 'is an entry point for the app alone'
  if (testEntryPoint.test(target)) return file.endsWith('.test.ts') ? undefined : 'is for tests alone'
  const to = moduleOfPublicApi(target)
  if (from === undefined || to === undefined) return 'is no public API'
  if (from.kind === to.kind && from.name === to.name)
    return 'is the public API of its own module; import the file itself'
  if (from.kind === 'capability') return problemInCapability(from.name, to)
  if (from.kind === 'app') return undefined
  return to.kind === 'kernel' ? problemInKernel(from.name, to.name) : 'makes the kernel know a capability'
}

function problemInKernel(from: string, to: string): string | undefined {
  const [mine, theirs] = [kernelOrder.indexOf(from), kernelOrder.indexOf(to)]
  if (mine < 0 || theirs < 0) return 'is between kernel modules that are not in the order of modules'
  return theirs < mine ? undefined : `goes upward: ${from} comes before ${to}`
}

function problemInCapability(from: string, to: Module): string | undefined {
  const allowed = capabilityMayUse[from]
  if (allowed === undefined) return `comes from ${from}, which is not in the table of capabilities`
  if (to.kind === 'kernel' || allowed.includes(to.name)) return undefined
  return `is not among what ${from} may use (${allowed.join(', ') || 'kernel only'})`
}

function moduleOf(file: string): Module | undefined {
  const [src, first, second] = relative('.', file).split('/')
  if (src !== 'src' || first === undefined) return undefined
  if (first === 'app') return { kind: 'app', name: 'app' }
  if (first === 'kernel') return second === undefined ? undefined : { kind: 'kernel', name: second }
  return { kind: 'capability', name: first }
}

function moduleOfPublicApi(target: string): Module | undefined {
  const kernel = /^#kernel\/([a-z-]+)$/.exec(target)?.[1]
  if (kernel !== undefined) return { kind: 'kernel', name: kernel }
  const capability = /^#([a-z-]+)$/.exec(target)?.[1]
  return capability === undefined ? undefined : { kind: 'capability', name: capability }
}
