import { writesOfPatch } from '../protocols/patch.ts'
import type { Write } from '../protocols/protocol.ts'

/** A word of a command line, or an operator such as `>` or `&&`. */
interface Token {
  readonly text: string
  readonly operator: boolean
}

const heredoc = /<<(-?)\s*(["']?)([A-Za-z_]\w*)\2([^\n]*)\n[\s\S]*?\n[\t ]*\3(?=\n|$)/g
/** Nobody types more; what a program generates is not worth the time. */
const longestCommand = 100_000
const separators = new Set(['&&', '||', ';', '|', '&', '\n', '(', ')'])

/** The files a shell command says it writes. What a program writes by itself stays unseen. */
export function shellWrites(command: string): Write[] {
  const patched = command.includes('*** Begin Patch') ? writesOfPatch(command) : []
  const tokens = tokenize(command.slice(0, longestCommand).replace(heredoc, ' $4'))
  const writes: Write[] = [...patched]
  let folder = ''
  for (const words of commandsOf(tokens)) {
    if (words[0]?.text === 'cd') folder = inFolder(folder, words[1]?.text ?? '')
    else
      writes.push(
        ...writesOfCommand(words).map((write) => ({ ...write, path: inFolder(folder, write.path) })),
      )
  }
  return writes.filter(({ path }) => isFile(path))
}

function inFolder(folder: string, path: string): string {
  return folder === '' || path.startsWith('/') || path.startsWith('&') ? path : `${folder}/${path}`
}

function commandsOf(tokens: readonly Token[]): Token[][] {
  const commands: Token[][] = [[]]
  for (const token of tokens) {
    if (token.operator && separators.has(token.text)) commands.push([])
    else commands.at(-1)?.push(token)
  }
  return commands
}

function writesOfCommand(tokens: readonly Token[]): Write[] {
  const writes: Write[] = []
  const words: string[] = []
  for (let at = 0; at < tokens.length; at++) {
    const { text, operator } = tokens[at] as Token
    if (!operator) words.push(text)
    else if (text.includes('>')) {
      at += 1
      const target = tokens[at]
      if (target !== undefined && !target.operator) writes.push({ path: target.text, kind: 'write' })
    } else at += 1
  }
  return [...writes, ...writesByName(words)]
}

const write = (path: string): Write => ({ path, kind: 'write' })

/** The programs that name the files they write. */
function writesByName(words: readonly string[]): Write[] {
  const start = words.findIndex(
    (word) => !/^\w+=/.test(word) && !/^(?:sudo|env|command|exec|time|nohup)$/.test(word),
  )
  const [program = '', ...rest] = start < 0 ? [] : words.slice(start)
  const files = rest.filter((word) => !word.startsWith('-'))
  switch (program.slice(program.lastIndexOf('/') + 1)) {
    case 'tee':
    case 'touch':
    case 'truncate':
      return files.map(write)
    case 'sed':
    case 'perl':
    case 'ruby':
      return rest.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word)) ? filesOfScript(rest).map(write) : []
    case 'cp':
    case 'install':
    case 'ln':
      return files.slice(-1).map(write)
    case 'mv':
      return [
        ...files.slice(0, -1).map((path): Write => ({ path, kind: 'delete' })),
        ...files.slice(-1).map(write),
      ]
    case 'rm':
    case 'unlink':
      return files.map((path) => ({ path, kind: 'delete' }))
    case 'dd':
      return rest.filter((word) => word.startsWith('of=')).map((word) => write(word.slice(3)))
    default:
      return []
  }
}

/** `sed -i -e SCRIPT file`, `sed -i SCRIPT file`: the script is no file. */
function filesOfScript(words: readonly string[]): string[] {
  const scripted = words.some((word) => /^-[a-zA-Z]*[ef]$|^--expression/.test(word))
  const files: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^-[a-zA-Z]*[ef]$/.test(word)) at += 1
    else if (!word.startsWith('-') && word !== '') files.push(word)
  }
  return scripted ? files : files.slice(1)
}

/** Devices, descriptors and names that only the shell could work out are not files we can judge. */
function isFile(path: string): boolean {
  return path !== '' && !path.startsWith('/dev/') && !path.startsWith('&') && !/[$`]/.test(path)
}

/** Splits a command line as a shell would, as far as files are concerned. */
function tokenize(command: string): Token[] {
  const tokens: Token[] = []
  const pattern =
    /\\\n|[^\S\n]+|#[^\n]*|(&&|\|\||\d*>>?&?\d*-?|&>>?|<<<|[<;|&()\n])|((?:"(?:\\[\s\S]|[^"\\])*(?:"|$)|'[^']*(?:'|$)|\\[\s\S]|[^\s"'\\<>;|&()])+)|[\s\S]/g
  for (const [, operator, word] of command.matchAll(pattern)) {
    if (operator !== undefined) tokens.push(...operatorTokens(operator))
    else if (word !== undefined) tokens.push({ text: unquote(word), operator: false })
  }
  return tokens
}

/** `2>&1` only points one stream to another; `2` before `>` is a stream and no word. */
function operatorTokens(operator: string): Token[] {
  return /&[\d-]/.test(operator) ? [] : [{ text: operator, operator: true }]
}

function unquote(word: string): string {
  return word.replace(
    /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|\\([\s\S])/g,
    (_, double?: string, single?: string, escaped?: string) =>
      double !== undefined ? double.replace(/\\(["\\$`])/g, '$1') : (single ?? escaped ?? ''),
  )
}
