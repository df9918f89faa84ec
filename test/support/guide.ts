import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hasProgram } from './has-program.ts'
import { patience } from './patience.ts'
import { launcher } from './program.ts'

/*
 * Runs a guide as a reader does: its `sh` blocks in their order in one shell, its programs between them. Words after the language of a block
 * say what is different:
 *
 *   ```sh                       runs; an error response, as every other failure, ends the guide
 *   ```sh not-run: reason       does not run here
 *   ```sh error-response        runs; the responses are errors
 *   ```sh second-terminal       runs until the guide ends; the next block starts when it has printed its first line
 *   ```js                       runs with the packages of the tests; so do `ts` and `python`
 *   ```js file: receiver.mjs    is stored under this name; so is `json`
 */

const root = new URL('../../', import.meta.url).pathname

export interface GuideBlock {
  readonly language: string
  /** The words after the language. */
  readonly note: string
  readonly code: string
}

export async function readGuide(name: string): Promise<readonly GuideBlock[]> {
  return findBlocks(await readFile(join(root, `docs/guides/${name}.md`), 'utf8'))
}

/** The blocks of a document that have a language. */
export function findBlocks(document: string): readonly GuideBlock[] {
  return [...document.matchAll(/^( *)```([a-z]+) ?(.*)\n([\s\S]*?)^ *```/gm)].map(
    ([, indent = '', language = '', note = '', code = '']) => ({
      language,
      note,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

/** What a guide says of the reader's machine, and what the test has in its place, such as the address of a server. */
export type Replacements = Readonly<Record<string, string>>

export interface GuideRun {
  readonly blocks: readonly GuideBlock[]
  readonly replace?: Replacements
  readonly env?: Readonly<Record<string, string>>
  /** Files that the reader has, by name. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** Called with the folder of the reader when all commands have ended. */
  readonly inspect?: (folder: string) => Promise<unknown>
}

/** Whether this machine has the programs of the guides. */
export const canRunGuides =
  ['bash', 'curl', 'jq'].every((name) => hasProgram(name)) && hasProgram('openssl', 'version')

/** Runs the blocks in an empty folder and returns everything they print; fails when a command does. */
export async function runGuide({
  blocks,
  replace = {},
  env = {},
  files = {},
  inspect,
}: GuideRun): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-guide-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
  await prepareFolder(folder)
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const script = [prelude, ...blocks.map((block, index) => toCommands(block, index + 1))].join('\n')
  const shell = spawn('bash', ['-eu', '-o', 'pipefail', '-c', replaceAll(script, replace)], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      XDG_CONFIG_HOME: join(folder, 'config'),
      TUTTI_PROFILE: '',
      ...env,
    },
    // With a socket as its input, bash takes itself for a remote shell and reads start-up files.
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, which ends with the guide.
    detached: true,
    // Below the timeout of the tests, so that no process outlives them.
    timeout: 380_000 * patience,
    killSignal: 'SIGKILL',
  })
  const [output, errors] = [text(shell.stdout), text(shell.stderr)]
  const [code] = (await once(shell, 'exit')) as [number | null]
  endGroup(shell.pid)
  if (code !== 0) throw new Error(`a command ended with ${code}:\n${await errors}\n${await output}`)
  await inspect?.(folder)
  return await output
}

/** Commands that a reader's machine has: `npx` finds ours in a checkout only, and `node` may be another version. */
async function prepareFolder(folder: string): Promise<void> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  for (const [name, command] of [
    ['npx', `shift\nexec ${launcher} "$@"`],
    ['node', `exec ${process.execPath} "$@"`],
  ] as const) {
    await writeFile(join(bin, name), `#!/bin/sh\n${command}\n`)
    await chmod(join(bin, name), 0o755)
  }
  for (const name of ['node_modules', 'src']) await symlink(join(root, name), join(folder, name))
}

/**
 * An error response fails the guide. An account may send ten reads a second to the APIs of flows and agents, which a fast machine exceeds.
 * A request counts from its end, because it may have reached the platform late; one more may be a stream that is open.
 */
const prelude = `
declare -x CALLS=$PWD/bin/calls
touch "$CALLS"
curl() {
  local earlier status=0 now=\${EPOCHREALTIME/[.,]/}
  if [[ "$*" == */ai-workflows/* || "$*" == */ai-orchestra/* ]]; then
    mapfile -t earlier < <(tail -n 9 "$CALLS")
    if ((\${#earlier[@]} == 9 && now - earlier[0] < 1100000)); then sleep 1.1; fi
  fi
  command curl --silent --show-error --fail-with-body "$@" || status=$?
  echo "\${EPOCHREALTIME/[.,]/}" >> "$CALLS"
  return $status
}
`

function toCommands({ language, note, code }: GuideBlock, number: number): string {
  const [, file] = /^file: (\S+)$/.exec(note) ?? []
  if (file !== undefined) return store(file, code)
  if (note.startsWith('not-run: ')) return ''
  // Not every response ends with a line break.
  const at = `echo; echo '# block ${number}' >&2`
  switch (`${language} ${note}`.trim()) {
    case 'sh':
      return `${at}\n${code}`
    case 'sh error-response':
      return `${at}\ncurl() { command curl --silent "$@"; }\n${code}\n${prelude}`
    case 'sh second-terminal':
      // The first line shows that a server listens, or that a stream is open.
      return `${at}\nexec {terminal}< <(${code})\nread -r line <&$terminal\necho "$line"\ncat <&$terminal &`
    case 'js':
      return `${at}\n${store(`block-${number}.mjs`, code)}\nnode block-${number}.mjs`
    case 'ts':
      return `${at}\n${store(`block-${number}.mts`, code)}\nnode block-${number}.mts`
    case 'python':
      return `${at}\n${store(`block-${number}.py`, code)}\npython3 block-${number}.py`
    default:
      return ''
  }
}

const store = (file: string, content: string) =>
  `mkdir -p "$(dirname '${file}')"\ncat > '${file}' <<'END-OF-FILE'\n${content}END-OF-FILE`

function replaceAll(script: string, replace: Replacements): string {
  return Object.entries(replace).reduce((done, [from, to]) => done.replaceAll(from, to), script)
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // No command of the guide runs any more.
  }
}
