/** The parts of a path, computed once for all rules. */
export interface FileName {
  readonly path: string
  readonly folders: readonly string[]
  readonly name: string
  /** The text after the last dot, in lower case; empty without one, and for `.gitignore`. */
  readonly ending: string
  /** The text between the last two dots: `test` in `cart.test.ts`. */
  readonly inner: string
}

export function fileNameOf(path: string): FileName {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  const dot = name.lastIndexOf('.')
  const ending = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
  const stem = dot <= 0 ? '' : name.slice(0, dot)
  return { path, folders, name, ending, inner: stem.slice(stem.lastIndexOf('.') + 1 || stem.length) }
}

/** Whether a word is in a space-separated list: unlike a set, the list costs nothing to create when the hook starts. */
export function isAmong(list: string, word: string): boolean {
  return word !== '' && !word.includes(' ') && list.includes(` ${word} `)
}
