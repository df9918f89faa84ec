import type { TextAnalysis } from '#models'
import { excerptOf, type Finding, type Issue, maxIssues, outcomeOf, type Subject } from './subject.ts'

/** All URLs in a text, as they are written. */
export function addressesIn(text: string): string[] {
  const found = text.matchAll(/\bhttps?:\/\/[^\s<>"'`\])}|]{1,2000}/gi)
  return [...new Set([...found].map(([address]) => withoutEnding(address)))]
}

/** Punctuation that ends a sentence does not belong to the URL before it. */
function withoutEnding(address: string): string {
  let end = address.length
  while ('.,;:!?'.includes(address.charAt(end - 1))) end -= 1
  return address.slice(0, end)
}

/** Link texts that do not describe their target. */
const emptyTexts =
  /^(?:here|click here|this|link|more|read more|learn more|hier|mehr|weiterlesen|ici|lire la suite|aquí|más|qui|leggi)$/i

export function findLinks({ text, analysis: { structure } }: Subject): Finding {
  const written = structure.links.map(({ url }) => url)
  const urls = [...new Set([...written, ...addressesIn(text)])]
  return { count: urls.length, urls: urls.slice(0, 100), findings: linkIssues(structure) }
}

/** Markup issues of headings, images, paragraphs and links. */
export function findMarkup({ analysis: { structure } }: Subject): Finding {
  const severe = new Set(['image_without_alt', 'heading_jump', 'empty_heading'])
  const issues: Issue[] = [
    ...structure.findings.map(({ id, message }) => ({
      rule: id,
      severity: severe.has(id) ? ('high' as const) : ('medium' as const),
      excerpt: '',
      message,
    })),
    ...linkIssues(structure),
  ]
  return {
    verdict: outcomeOf(issues),
    count: issues.length,
    findings: issues.slice(0, maxIssues),
    counts: {
      headings: structure.headingCount,
      links: structure.linkCount,
      images: structure.imageCount,
      images_without_alt: structure.imagesWithoutAlt,
    },
  }
}

function linkIssues({ links }: TextAnalysis['structure']): Issue[] {
  return links.flatMap(({ text, url }) => {
    const at = (rule: string, severity: Issue['severity'], message: string): Issue[] => [
      { rule, severity, excerpt: excerptOf(`${text} (${url})`), message },
    ]
    if (text.trim() === '') return at('link_without_text', 'high', 'A link has no text.')
    if (emptyTexts.test(text.trim()))
      return at('link_text', 'medium', `The link text "${excerptOf(text)}" does not say where it leads.`)
    if (url.startsWith('http://')) return at('link_not_secure', 'low', 'The link does not use https.')
    return url.startsWith('https://') && !URL.canParse(url)
      ? at('link_address', 'high', 'The address of the link cannot be read.')
      : []
  })
}
