export type Mark = 'strong' | 'em' | 'code' | 'link' | 'list'

/** A text with what is selected in it. */
export interface Marked {
  readonly text: string
  readonly start: number
  readonly end: number
}

const tags: Readonly<Record<Mark, readonly [string, string]>> = {
  strong: ['<strong>', '</strong>'],
  em: ['<em>', '</em>'],
  code: ['<code>', '</code>'],
  link: ['<a href="https://">', '</a>'],
  list: ['', ''],
}

const samples: Readonly<Record<Mark, string>> = {
  strong: 'strong',
  em: 'emphasis',
  code: 'code',
  link: 'link',
  list: 'First',
}

/** Marks what is selected, or a sample where the cursor stands; what has to be typed next is selected then. */
export function markText({ text, start, end }: Marked, mark: Mark): Marked {
  const chosen = text.slice(start, end) || samples[mark]
  const before = text.slice(0, start)
  const after = text.slice(end)
  if (mark === 'list') return markList(before, chosen, after)
  const [opening, closing] = tags[mark]
  const from = mark === 'link' ? before.length + opening.indexOf('https://') : before.length + opening.length
  return {
    text: before + opening + chosen + closing + after,
    start: from,
    end: from + (mark === 'link' ? 'https://'.length : chosen.length),
  }
}

/** Each line becomes an item; a list stands apart from the text around it. */
function markList(before: string, chosen: string, after: string): Marked {
  const items = chosen
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `<li>${line.trim()}</li>`)
  const opening = `${before === '' || before.endsWith('\n\n') ? '' : '\n\n'}<ul>\n`
  const closing = `\n</ul>${after === '' || after.startsWith('\n\n') ? '' : '\n\n'}`
  const from = before.length + opening.length
  const list = items.join('\n')
  return {
    text: before + opening + list + closing + after,
    start: from + '<li>'.length,
    end: from + list.length - '</li>'.length,
  }
}
