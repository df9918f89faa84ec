import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { parseSync } from 'oxc-parser'

/** What each capability may use besides itself and the kernel. A capability that is missing here may not exist. */
const capabilityMayUse: Readonly<Record<string, readonly string[]>> = {
  identity: [],
  cluster: [],
  models: ['identity', 'cluster'],
  webhooks: ['identity'],
  engine: ['models'],
  notices: [],
  runs: ['engine', 'webhooks', 'notices'],
  workflows: ['runs', 'engine', 'webhooks', 'notices', 'models', 'identity'],
  tours: ['identity'],
  status: ['models', 'cluster', 'engine', 'identity', 'notices'],
  mcp: ['runs', 'engine', 'models', 'identity'],
  orchestra: ['runs', 'engine', 'webhooks', 'notices', 'models', 'identity'],
}

/** What each kernel room may use. The list is the order of the rooms: nobody looks upward. */
const kernelOrder = [
  'errors',
  'timers',
  'config',
  'telemetry',
  'pages',
  'database',
  'sealing',
  'outbound',
  'events',
  'work',
  'limits',
  'vitals',
  'http',
  'idempotency',
]

/** What a room declares about itself, for a process that does not need the rest of it. */
const sideDoor = /^#(?:settings|migrations)\/(?:kernel\/)?[a-z-]+$/

interface Room {
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
      const problem = judge(file, target)
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

/** Says what is wrong with an import, or nothing. Pure, so that its rules are tested one by one. */
export function judge(file: string, target: string): string | undefined {
  const from = roomOf(file)
  if (target.startsWith('.')) {
    const to = roomOf(normalize(join(dirname(file), target)))
    const same = from !== undefined && to !== undefined && from.kind === to.kind && from.name === to.name
    return same ? undefined : 'reaches into another room; use its front door'
  }
  if (!target.startsWith('#')) return undefined
  if (sideDoor.test(target)) return from?.kind === 'app' ? undefined : 'is a side door, for the app alone'
  const to = roomOfFrontDoor(target)
  if (from === undefined || to === undefined) return 'is no front door'
  if (from.kind === to.kind && from.name === to.name) return 'is the own front door; import the file itself'
  if (from.kind === 'capability') return judgeInCapability(from.name, to)
  if (from.kind === 'app') return undefined
  return to.kind === 'kernel' ? judgeInKernel(from.name, to.name) : 'makes the kernel know a capability'
}

function judgeInKernel(from: string, to: string): string | undefined {
  const [mine, theirs] = [kernelOrder.indexOf(from), kernelOrder.indexOf(to)]
  if (mine < 0 || theirs < 0) return 'is between kernel rooms that are not in the order of rooms'
  return theirs < mine ? undefined : `looks upward: ${from} comes before ${to}`
}

function judgeInCapability(from: string, to: Room): string | undefined {
  const allowed = capabilityMayUse[from]
  if (allowed === undefined) return `comes from ${from}, which is not in the table of capabilities`
  if (to.kind === 'kernel' || allowed.includes(to.name)) return undefined
  return `is not among what ${from} may use (${allowed.join(', ') || 'kernel only'})`
}

function roomOf(file: string): Room | undefined {
  const [src, first, second] = relative('.', file).split('/')
  if (src !== 'src' || first === undefined) return undefined
  if (first === 'app') return { kind: 'app', name: 'app' }
  if (first === 'kernel') return second === undefined ? undefined : { kind: 'kernel', name: second }
  return { kind: 'capability', name: first }
}

function roomOfFrontDoor(target: string): Room | undefined {
  const kernel = /^#kernel\/([a-z-]+)$/.exec(target)?.[1]
  if (kernel !== undefined) return { kind: 'kernel', name: kernel }
  const capability = /^#([a-z-]+)$/.exec(target)?.[1]
  return capability === undefined ? undefined : { kind: 'capability', name: capability }
}
