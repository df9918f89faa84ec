import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { allowedTags, isAllowedLink, isAllowedMedia, renamedTags } from './allowed-html.ts'

type Element = DefaultTreeAdapterTypes.Element

const allowed = new Set<string>([...allowedTags, ...Object.keys(renamedTags)])

/** Elements that carry meaning beyond their text; containers such as div and span are removed without a loss. */
const plainContainers = new Set(
  'div span section article header footer main aside nav figure center font small u'.split(' '),
)

/** The elements and links of a body that sanitising removes, each once, such as `<img>`. */
export function findRemovedHtml(html: string): string[] {
  return walkHtml(html, ({ tagName, attrs }) => {
    if (!allowed.has(tagName)) return plainContainers.has(tagName) ? [] : [`<${tagName.slice(0, 40)}>`]
    if (tagName === 'img' || tagName === 'video') {
      const source = attrs.find(({ name }) => name === 'src')?.value ?? ''
      return isAllowedMedia(source.replaceAll(/[\t\n\r]/g, '').trim()) ? [] : [`<${tagName}>`]
    }
    const href = attrs.find(({ name }) => name === 'href')?.value
    const isLost =
      tagName === 'a' && href !== undefined && !isAllowedLink(href.replaceAll(/[\t\n\r]/g, '').trim())
    return isLost ? [`the link to ${href.slice(0, 80)}`] : []
  })
}

/** Collects texts about the elements of a fragment, each once. Traverses without recursion: the nesting is untrusted. */
export function walkHtml(html: string, describe: (element: Element) => readonly string[]): string[] {
  const found = new Set<string>()
  const waiting: DefaultTreeAdapterTypes.Node[] = [parseFragment(html)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node) for (const text of describe(node)) found.add(text)
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed())
  }
  return [...found]
}
