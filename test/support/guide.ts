import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hasProgram } from './has-program.ts'
import { patience } from './patience.ts'
import { launcher } from './program.ts'
import { runVariable } from './run-mark.ts'

/*
 * Runs a guide as a reader does: its `sh` blocks in their order in one fresh shell, its programs between them. The shell has the settings of
 * the platform, which a reader has in its folder, and nothing else: an address or a key comes from a block of the guide, and a variable that
 * no block has defined ends the guide. Words after the language of a block say what is different:
 *
 *   ```sh                       runs; an error response, as every other failure, ends the guide
 *   ```sh error-response        runs; the responses are errors
 *   ```sh second-terminal       runs in a fresh shell of its own until the guide ends; the next block starts when it has printed its first line
 *   ```js                       runs with the packages of the tests; so do `ts` and `python`
 *   ```js file: receiver.mjs    is stored under this name; so is `json`
 */

/** The only blocks that do not run: what they have, why, and how many there are in all guides. */
export const blocksThatDoNotRun: readonly (readonly [has: RegExp, reason: string, count: number])[] = [
  [/^npm ci /, 'it installs from a registry', 1],
  [/ npm start$/m, 'it starts the platform, which runs already', 6],
  [/^npx tutti migrate$/m, 'it is for an empty database', 1],
  [/^psql /, 'it needs psql and the embedded database', 1],
  [/^ *docker /m, 'it needs Docker', 3],
  [/^(?:useradd|systemd-run) /, 'it needs root and systemd', 2],
  [/^(?:composer|drush) /, 'it needs a Drupal site', 2],
  [/ aider |^codex$/m, 'it needs aider or Codex', 2],
  [/ ollama run /, 'it needs the command line client of Ollama', 1],
  [/^from openai import /m, 'it needs a package of Python', 1],
  [/^window\b|^tuttiTours\b/, 'it belongs into a page', 4],
]

export const isRun = ({ code }: GuideBlock) => !blocksThatDoNotRun.some(([has]) => has.test(code))

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
  /** Settings of the platform. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called with the folder of the reader when all commands have ended. */
  readonly inspect?: (folder: string) => Promise<unknown>
}

/** Whether this machine has the programs of the guides. */
export const canRunGuides =
  ['bash', 'curl', 'jq'].every((name) => hasProgram(name)) && hasProgram('openssl', 'version')

/** Variables of the test that the shell keeps: of the machine, of the compile cache, and the mark of the run. */
const kept = ['HOME', 'LANG', 'TMPDIR', 'NODE_COMPILE_CACHE', runVariable]

/** Runs the blocks in an empty folder and returns everything they print; fails when a command does. */
export async function runGuide({ blocks, replace = {}, settings = {}, inspect }: GuideRun): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tutti-guide-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
  await prepareFolder(folder)
  const script = [prelude, ...blocks.map((block, index) => toCommands(block, index + 1))].join('\n')
  const shell = spawn('bash', ['-eu', '-o', 'pipefail', '-c', replaceAll(script, replace)], {
    cwd: folder,
    env: {
      ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      XDG_CONFIG_HOME: join(folder, 'config'),
      ...settings,
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
 * An error response fails the guide; a stream may end by `--max-time`. An account may send ten reads a second to the APIs of flows and agents,
 * which a fast machine exceeds. A request counts from its end, because it may have reached the platform late; one more may be a stream that is
 * open.
 */
const prelude = `
if [[ ! -v FRESH ]]; then mapfile -d '' -t FRESH < <(env -0); fi
CALLS=$PWD/bin/calls
touch "$CALLS"
curl() {
  local earlier status=0 now=\${EPOCHREALTIME/[.,]/}
  if [[ "$*" == */ai-workflows/* || "$*" == */ai-orchestra/* ]]; then
    mapfile -t earlier < <(tail -n 9 "$CALLS")
    if ((\${#earlier[@]} == 9 && now - earlier[0] < 1100000)); then sleep 1.1; fi
  fi
  command curl --silent --show-error --fail-with-body "$@" || status=$?
  if [[ $status == 28 && "$*" == *--max-time* ]]; then status=0; fi
  echo "\${EPOCHREALTIME/[.,]/}" >> "$CALLS"
  return $status
}
`

function toCommands(block: GuideBlock, number: number): string {
  const { language, note, code } = block
  const [, file] = /^file: (\S+)$/.exec(note) ?? []
  if (file !== undefined) return store(file, code)
  if (!isRun(block)) return ''
  // Not every response ends with a line break.
  const at = `echo; echo '# block ${number}' >&2`
  switch (`${language} ${note}`.trim()) {
    case 'sh':
      return `${at}\n${code}`
    case 'sh error-response':
      return `${at}\ncurl() { command curl --silent "$@"; }\n${code}\n${prelude}`
    case 'sh second-terminal':
      // The first line shows that a server listens, or that a stream is open.
      return `${at}\n${store(`block-${number}.sh`, code)}\n${openTerminal(number)}`
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

const openTerminal = (
  number: number,
) => `exec {terminal}< <(env -i "\${FRESH[@]}" bash -eu block-${number}.sh)
read -r line <&$terminal
echo "$line"
cat <&$terminal &`

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
