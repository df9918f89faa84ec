/** Longer titles do not fit into a card. */
const maxTitle = 60
const maxDescription = 40

/** A title for the step of an element: its label or its text, cut between words; null when it has neither. */
export function suggestTitle(element: Element): string | null {
  return cutWords(nameOf(element), maxTitle)
}

/** A description such as `button “Save”`. */
export function describeElement(element: Element): string {
  const name = cutWords(nameOf(element), maxDescription)
  const kind = element.getAttribute('role') ?? element.localName
  return name === null ? kind : `${kind} “${name}”`
}

function nameOf(element: Element): string {
  const field = element as Partial<HTMLInputElement>
  const names = [
    element.getAttribute('aria-label'),
    ...[...(field.labels ?? [])].map(wordsOf),
    wordsOf(element),
    ...['alt', 'placeholder', 'title'].map((name) => element.getAttribute(name)),
  ]
  return names.find((name) => name !== null && name.trim() !== '') ?? ''
}

/**
 * The visible text of an element. `textContent` joins the words of neighbouring elements, such as the lines of a card:
 * a space separates elements that are not part of a line of text.
 */
function wordsOf(element: Element): string {
  return [...element.childNodes]
    .map((node) => {
      if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
      return node.nodeType === Node.ELEMENT_NODE ? wordsOfChild(node as Element) : ''
    })
    .join('')
}

function wordsOfChild(child: Element): string {
  const { display, visibility } = getComputedStyle(child)
  if (child.localName === 'br') return ' '
  if (display === 'none' || visibility !== 'visible') return ''
  return display === 'inline' || display === 'contents' ? wordsOf(child) : ` ${wordsOf(child)} `
}

/** One line of at most this many characters, cut after a whole word; null without text. */
export function cutWords(text: string, length: number): string | null {
  // oxlint-disable-next-line no-control-regex
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  if (line === '') return null
  const characters = Array.from(line)
  if (characters.length <= length) return line
  const cut = characters.slice(0, length - 1).join('')
  const isWhole = characters[length - 1] === ' '
  const space = cut.lastIndexOf(' ')
  // A language without spaces, or one very long word, is cut between characters.
  const words = isWhole || space < length / 3 ? cut : cut.slice(0, space)
  return `${words.replace(/[\s,;:.–—-]+$/u, '')}…`
}
