import { parseHtml, type RichNode, toBlocks, withoutMedia } from './rich-text.ts'

/** Builds the nodes of a body. Nothing is given to the parser of the browser. */
export function toDom(nodes: readonly RichNode[]): DocumentFragment {
  const fragment = document.createDocumentFragment()
  for (const node of nodes) {
    if (typeof node === 'string') {
      fragment.append(node)
      continue
    }
    const element = document.createElement(node.tag)
    for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value)
    element.append(toDom(node.children))
    fragment.append(element)
  }
  return fragment
}

/** Reads the nodes of the editor. */
export function fromDom(parent: Node): readonly RichNode[] {
  return [...parent.childNodes].flatMap((node): readonly RichNode[] => {
    if (node instanceof Text) return [node.data]
    if (!(node instanceof Element)) return []
    const attributes = [...node.attributes]
      .filter(({ name }) => !/^on|^(?:style|class|id)$/.test(name))
      .map(({ name, value }) => [name, value])
    return [
      {
        tag: node.localName,
        attributes: Object.fromEntries(attributes) as Record<string, string>,
        children: fromDom(node),
      },
    ]
  })
}

const formats = ['bold', 'italic', 'code', 'link', 'bullets', 'numbers', 'heading'] as const
export type Format = (typeof formats)[number]

/** The formats at the cursor. */
export function formatsAtCursor(editor: HTMLElement): ReadonlySet<Format> {
  if (rangeIn(editor) === undefined) return new Set()
  return new Set(
    formats.filter((format) => {
      switch (format) {
        case 'bold':
        case 'italic':
          return document.queryCommandState(format)
        default:
          return elementAtCursor(editor, elementsOf[format]) !== undefined
      }
    }),
  )
}

const elementsOf = { code: 'code', link: 'a', bullets: 'ul', numbers: 'ol', heading: 'h3, h4' } as const

/** Switches a format of the selection on or off; links are set by `setLink`. */
export function toggleFormat(editor: HTMLElement, format: Exclude<Format, 'link'>): void {
  editor.focus()
  switch (format) {
    case 'bold':
    case 'italic':
      return run(format)
    case 'bullets':
      return run('insertUnorderedList')
    case 'numbers':
      return run('insertOrderedList')
    case 'heading':
      return run('formatBlock', elementAtCursor(editor, elementsOf.heading) === undefined ? '<h3>' : '<p>')
    case 'code':
      return toggleCode(editor)
    default:
      return undefined
  }
}

/** Sets the link of the selection; without an address it is removed. A cursor in a link means the whole link. */
export function setLink(editor: HTMLElement, range: Range | undefined, href: string): void {
  editor.focus()
  const selection = window.getSelection()
  if (range !== undefined && selection !== null) {
    selection.removeAllRanges()
    selection.addRange(range)
  }
  const link = elementAtCursor(editor, 'a')
  if (link !== undefined && selection?.isCollapsed === true) selection.selectAllChildren(link)
  if (href === '') return run('unlink')
  if (selection?.isCollapsed === false) return run('createLink', href)
  const added = document.createElement('a')
  added.href = href
  added.textContent = href
  insertNodes(editor, added)
}

/** Inserts what was pasted or dropped, reduced to what a body can have. */
export function insertPasted(editor: HTMLElement, data: DataTransfer): void {
  const html = data.getData('text/html').slice(0, maxPasted)
  const blocks = toBlocks(html === '' ? linesOf(data.getData('text/plain')) : withoutMedia(parseHtml(html)))
  const [only] = blocks
  if (only === undefined) return
  // One paragraph goes into the line at the cursor.
  insertNodes(editor, toDom(blocks.length === 1 && only.tag === 'p' ? only.children : blocks))
}

/** More text than a body can have. */
const maxPasted = 100_000

function linesOf(text: string): readonly RichNode[] {
  return text
    .slice(0, maxPasted)
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map((paragraph) => ({
      tag: 'p',
      attributes: {},
      children: paragraph
        .split(/\r?\n/)
        .flatMap((line, index): RichNode[] =>
          index === 0 ? [line] : [{ tag: 'br', attributes: {}, children: [] }, line],
        ),
    }))
}

/** Browsers still implement these commands alone with undo and with lists; no standard replaces them. */
function run(command: string, value?: string): void {
  document.execCommand('styleWithCSS', false, 'false')
  document.execCommand('defaultParagraphSeparator', false, 'p')
  document.execCommand(command, false, value)
}

/** The selected range; undefined when it is not inside the editor. */
export function rangeIn(editor: HTMLElement): Range | undefined {
  const selection = window.getSelection()
  if (selection === null || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  return editor.contains(range.commonAncestorContainer) ? range : undefined
}

export function elementAtCursor(editor: HTMLElement, selector: string): Element | undefined {
  const node = rangeIn(editor)?.commonAncestorContainer
  const element = node instanceof Element ? node : node?.parentElement
  const found = element?.closest(selector)
  return found instanceof Element && found !== editor && editor.contains(found) ? found : undefined
}

function toggleCode(editor: HTMLElement): void {
  const inside = elementAtCursor(editor, 'code')
  const range = rangeIn(editor)
  if (inside !== undefined) {
    const last = inside.lastChild
    inside.replaceWith(...inside.childNodes)
    if (last !== null) window.getSelection()?.setPosition(last, last.textContent?.length ?? 0)
  } else if (range !== undefined) {
    const code = document.createElement('code')
    code.append(range.collapsed ? 'code' : range.extractContents().textContent)
    insertNodes(editor, code)
    window.getSelection()?.selectAllChildren(code)
  }
  notifyInput(editor)
}

/** Inserts nodes at the cursor, or at the end; the cursor goes behind them. */
function insertNodes(editor: HTMLElement, nodes: Node): void {
  const last = nodes instanceof DocumentFragment ? nodes.lastChild : nodes
  const range = rangeIn(editor)
  if (range === undefined) editor.append(nodes)
  else {
    range.deleteContents()
    range.insertNode(nodes)
  }
  if (last !== null) window.getSelection()?.setPosition(last, last.childNodes.length)
  notifyInput(editor)
}

function notifyInput(editor: HTMLElement): void {
  editor.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
