import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureTddBuilt } from '../../tdd/scripts/build.ts'
import type { Benchmark, Contender, Measurement } from '../benchmark.ts'
import { percentile } from '../summary.ts'

const samples = 12
const dist = fileURLToPath(new URL('../../tdd/dist/', import.meta.url))
const peers = process.env['TUTTI_BENCH_PEERS'] ?? fileURLToPath(new URL('../peers/', import.meta.url))

interface Call {
  readonly args: readonly string[]
  readonly input?: string
}

/** Starts the program repeatedly. The fastest start counts, because other load on the machine only adds to it. */
function measureStarts(cwd: string, { args, input = '' }: Call): Measurement {
  const tookMs: number[] = []
  for (let sample = 0; sample < samples; sample++) {
    const startedAt = performance.now()
    spawnSync(process.execPath, args, { cwd, input, stdio: ['pipe', 'pipe', 'ignore'] })
    tookMs.push(performance.now() - startedAt)
  }
  return { value: Math.min(...tookMs), beside: { 'p50 ms': percentile(tookMs, 0.5) } }
}

/** A project in RED with a configuration, so that every edit of code is checked and refused. */
async function createProject(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tutti-bench-hook-')))
  await mkdir(join(folder, '.tdd', 'cache'), { recursive: true })
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'package.json'), '{}')
  await writeFile(
    join(folder, 'tdd.config.yaml'),
    'team:\n  enforcementLevel: strict\nfiles:\n  test: [qa/**]\n',
  )
  await cp(join(dist, 'project-hook.cjs'), join(folder, '.tdd', 'hook.cjs'))
  await writeFile(join(folder, '.tdd', 'cache', 'tool'), join(dist, 'tutti-tdd.cjs'))
  for (const command of [['start'], ['red', 'cart']])
    spawnSync(process.execPath, [join(dist, 'tutti-tdd.cjs'), ...command], { cwd: folder })
  return folder
}

/** tdd-guard calls a model about an edit; measured is the time before that, with a file it ignores. */
async function findTddGuard(cwd: string): Promise<{ contender: Contender; version: string } | undefined> {
  const folder = join(peers, 'node_modules', 'tdd-guard')
  if (!existsSync(folder)) {
    console.log(
      `tdd-guard not installed: npm install --prefix ${peers} tdd-guard, or name a folder in TUTTI_BENCH_PEERS`,
    )
    return undefined
  }
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    version: string
    bin: Record<string, string>
  }
  const program = join(folder, manifest.bin['tdd-guard'] ?? '')
  const input = JSON.stringify(claudeCall(cwd, 'notes.md'))
  const measure = async () => measureStarts(cwd, { args: [program], input })
  return { contender: { name: 'tdd-guard, a file it ignores', measure }, version: manifest.version }
}

function claudeCall(cwd: string, file: string) {
  return {
    session_id: 'bench',
    transcript_path: join(cwd, 'transcript.jsonl'),
    cwd,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: join(cwd, file), content: 'export const total = 0\n' },
  }
}

const benchmark: Benchmark = {
  question: 'What does the TDD hook add to the start of Node?',
  unit: 'fastest ms',
  better: 'lower',
  baseline: 'node -e 0',

  async setUp() {
    await using closing = new AsyncDisposableStack()
    await ensureTddBuilt({ log: console.log })
    const cwd = await createProject()
    closing.defer(() => rm(cwd, { recursive: true, force: true }))
    const tool = join(dist, 'tutti-tdd.cjs')
    const edit = { event: 'PreToolUse', data: { toolName: 'Write', args: { file_path: 'src/cart.ts' } } }
    const input = JSON.stringify(claudeCall(cwd, 'src/cart.ts'))
    const calls: Readonly<Record<string, Call>> = {
      'node -e 0': { args: ['-e', '0'] },
      'hook, argument protocol': { args: [tool, 'hook', JSON.stringify(edit)] },
      'hook --agent claude-code': { args: [tool, 'hook', '--agent', 'claude-code'], input },
      '.tdd/hook.cjs --agent claude-code': {
        args: [join(cwd, '.tdd', 'hook.cjs'), '--agent', 'claude-code'],
        input,
      },
    }
    const guard = await findTddGuard(cwd)
    const opened = closing.move()
    return {
      versions: guard === undefined ? {} : { 'tdd-guard': guard.version },
      contenders: [
        ...Object.entries(calls).map(([name, call]) => ({
          name,
          measure: async () => measureStarts(cwd, call),
        })),
        ...(guard === undefined ? [] : [guard.contender]),
      ],
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
