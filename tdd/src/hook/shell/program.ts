/** The program that a command starts, without wrappers such as `sudo` and without assignments. */
export interface Program {
  /** The name without its folder. */
  readonly name: string
  readonly args: readonly string[]
  /** The assignments `NAME=value` before the program. */
  readonly assignments: readonly string[]
}

const wrappers = /^(?:sudo|env|command|exec|time|nohup)$/

export function programOf(words: readonly string[]): Program {
  const start = words.findIndex((word) => !/^\w+=/.test(word) && !wrappers.test(word))
  const [program = '', ...args] = start < 0 ? [] : words.slice(start)
  const assignments = words.slice(0, start < 0 ? words.length : start).filter((word) => /^\w+=/.test(word))
  return { name: program.slice(program.lastIndexOf('/') + 1), args, assignments }
}

/** A parsed git command line. */
export interface GitCall {
  readonly command: string
  readonly args: readonly string[]
  /** The folder of `-C`. */
  readonly folder: string
  /** The settings of `-c`. */
  readonly settings: readonly string[]
}

export function gitCallOf(args: readonly string[]): GitCall {
  let folder = ''
  const settings: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) return { command: word, args: args.slice(at + 1), folder, settings }
    const value = args[at + 1] ?? ''
    if (word === '-C') folder = value
    if (word === '-c') settings.push(value)
    if (/^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env)$/.test(word)) at += 1
  }
  return { command: '', args: [], folder, settings }
}

/** Splits arguments into options and other words; `withValue` matches the options whose value may be the next word. */
export function splitOptions(
  args: readonly string[],
  withValue: RegExp,
): { options: ReadonlyMap<string, string>; others: readonly string[] } {
  const options = new Map<string, string>()
  const others: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') {
      others.push(...args.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') others.push(word)
    else if (word.startsWith('--') && word.includes('='))
      options.set(word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1))
    else if (withValue.test(word)) {
      options.set(word, args[at + 1] ?? '')
      at += 1
    } else if (!word.startsWith('--') && word.length > 2 && withValue.test(word.slice(0, 2)))
      options.set(word.slice(0, 2), word.slice(2))
    else options.set(word, '')
  }
  return { options, others }
}
