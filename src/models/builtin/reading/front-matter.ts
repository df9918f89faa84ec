/** What a page says about itself above its text, between two lines of dashes. */
export interface FrontMatter {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly body: string
}

const longest = 64 * 1024
const block = /^---[ \t]*\n(?<fields>(?:[^\n]*\n){0,200}?)---[ \t]*(?:\n|$)/

/** Takes the front matter off. A text that only begins with a line of dashes has none: each line must be a field, or go on with one. */
export function takeFrontMatter(source: string): FrontMatter {
  const found = source.startsWith('---') ? block.exec(source.slice(0, longest)) : null
  const lines = found?.groups?.['fields']?.split('\n') ?? []
  const isFields =
    /^[\w-]+:/.test(lines[0] ?? '') && lines.every((line) => /^(?:[\w-]+:|[\s#-]|$)/.test(line))
  if (found === null || !isFields) return { title: undefined, description: undefined, body: source }
  const field = (name: string) => {
    const line = lines.find((candidate) => candidate.startsWith(`${name}:`))
    return line
      ?.slice(name.length + 1)
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
  }
  return { title: field('title'), description: field('description'), body: source.slice(found[0].length) }
}
