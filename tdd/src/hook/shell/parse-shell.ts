/** One command of a command line, with its redirections. */
export interface ShellCommand {
  readonly words: readonly string[]
  /** The files that redirections write. */
  readonly outputs: readonly string[]
  /** The file that standard input is redirected from. */
  readonly inputFile: string | undefined
  /** Standard input from the command line itself: a here-document or a here-string. */
  readonly inputText: string | undefined
  /** The command whose output this one reads. */
  readonly pipedFrom: ShellCommand | undefined
}

/** A word of a command line, or an operator such as `>` or `&&`. */
interface Token {
  readonly text: string
  readonly operator: boolean
}

const heredocStart = /(?<!<)<<-?[\t ]*(["']?)([A-Za-z_]\w*)\1/g
/** The placeholder for a here-document, followed by its number; no command line contains this character otherwise. */
const heredocMark = '\u0001'
/** The maximum length that is parsed; longer lines are written by programs. */
const maxCommandLength = 100_000
const separators = new Set(['&&', '||', ';', '|', '&', '\n', '(', ')'])

/** Parses a command line like a shell, as far as files and programs are concerned. */
export function parseShell(line: string): ShellCommand[] {
  const { text, heredocs } = takeHeredocs(line.slice(0, maxCommandLength).replaceAll(heredocMark, ''))
  const commands: ShellCommand[] = []
  let tokens: Token[] = []
  let piped = false
  for (const token of [...tokenize(text), { text: ';', operator: true }]) {
    if (!token.operator || !separators.has(token.text)) {
      tokens.push(token)
      continue
    }
    if (tokens.length > 0) commands.push(commandOf(tokens, heredocs, piped ? commands.at(-1) : undefined))
    tokens = []
    piped = token.text === '|'
  }
  return commands
}

/** Replaces here-documents by placeholders; a here-document without an end is none. */
function takeHeredocs(text: string): { text: string; heredocs: string[] } {
  const lines = text.split('\n')
  // The lines that may end a here-document, by their word, last first, so that every line is visited once.
  const ends = new Map<string, number[]>()
  for (let at = lines.length - 1; at >= 0; at--) {
    const word = (lines[at] ?? '').trimStart()
    if (!/^[A-Za-z_]\w*$/.test(word)) continue
    const places = ends.get(word)
    if (places === undefined) ends.set(word, [at])
    else places.push(at)
  }
  const heredocs: string[] = []
  const kept: string[] = []
  for (let at = 0; at < lines.length; at++) {
    let last = at
    kept.push(
      (lines[at] ?? '').replace(heredocStart, (start, _quote, word: string) => {
        const places = ends.get(word) ?? []
        while ((places.at(-1) ?? Number.POSITIVE_INFINITY) <= last) places.pop()
        const end = places.pop()
        if (end === undefined) return start
        heredocs.push(
          lines
            .slice(last + 1, end)
            .map((body) => `${body}\n`)
            .join(''),
        )
        last = end
        return ` <${heredocMark}${heredocs.length - 1} `
      }),
    )
    at = last
  }
  return { text: kept.join('\n'), heredocs }
}

function commandOf(
  tokens: readonly Token[],
  heredocs: readonly string[],
  pipedFrom: ShellCommand | undefined,
): ShellCommand {
  const words: string[] = []
  const outputs: string[] = []
  let inputFile: string | undefined
  let inputText: string | undefined
  for (let at = 0; at < tokens.length; at++) {
    const { text, operator } = tokens[at] as Token
    if (!operator) {
      words.push(text)
      continue
    }
    at += 1
    const target = tokens[at]
    if (target === undefined || target.operator) continue
    if (text.includes('>')) outputs.push(target.text)
    else if (text === '<<<') inputText = `${target.text}\n`
    else if (target.text.startsWith(heredocMark)) inputText = heredocs[Number(target.text.slice(1))]
    else inputFile = target.text
  }
  return { words, outputs, inputFile, inputText, pipedFrom }
}

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

/** The tokens of a redirection: `2>&1` only joins two streams; `2` before `>` is a stream and no word. */
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
